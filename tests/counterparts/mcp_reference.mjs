// Runs a server of the Model Context Protocol by the protocol's own SDK for TypeScript on loopback, until it is ended.
// Usage: node mcp_reference.mjs MODULES PORT. The SDK and the HTTP server come with the inspector.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, port] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(modules, "x.js")));
const { createMcpHandler, McpServer } = require("@modelcontextprotocol/server");
const { serve } = require("@hono/node-server");

const handler = createMcpHandler(() => new McpServer({ name: "reference", version: "1" }, { capabilities: { tools: {} } }));
serve({ fetch: (request) => handler.fetch(request), hostname: "127.0.0.1", port: Number(port) }, () => console.log("ready"));
