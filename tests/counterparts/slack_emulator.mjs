// Runs the Slack of the npm package emulate on loopback until standard input ends.
// Usage: node slack_emulator.mjs PACKAGE_FOLDER < CONFIG, one line of JSON: port, seed, url (where events are sent).
// The package delivers events, but has no way to name an address for them: it is named where Slack is set up.
import { readdir, readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const dist = join(process.argv[2], "dist");
const lines = createInterface({ input: process.stdin });
const config = JSON.parse((await lines[Symbol.asyncIterator]().next()).value);

async function slackModule() {
  for (const name of (await readdir(dist)).filter((each) => each.endsWith(".js"))) {
    const path = join(dist, name);
    if ((await readFile(path, "utf8")).includes("\n  slackPlugin\n};")) return import(pathToFileURL(path));
  }
  throw new Error("emulate has no Slack");
}

const { slackPlugin } = await slackModule();
const register = slackPlugin.register;
slackPlugin.register = (app, store, webhooks, ...rest) => {
  webhooks.register({ owner: "slack", url: config.url, events: ["*"], active: true });
  return register(app, store, webhooks, ...rest);
};

const { createEmulator } = await import(pathToFileURL(join(dist, "api.js")));
const emulator = await createEmulator({ service: "slack", port: config.port, seed: config.seed });
console.log("ready");
lines.on("close", () => emulator.close().then(() => process.exit(0)));
