// Loaded before the Agents Playground, which would listen on all interfaces: whatever listens, listens on 127.0.0.1.
"use strict";
const { Server } = require("node:net");
const listen = Server.prototype.listen;

Server.prototype.listen = function (first, ...rest) {
  const byPort = typeof first === "number" || /^\d+$/.test(first);
  if (byPort) return listen.call(this, { port: Number(first), host: "127.0.0.1" }, ...rest.filter((each) => typeof each === "function"));
  if (first !== null && typeof first === "object" && "port" in first) return listen.call(this, { ...first, host: "127.0.0.1" }, ...rest);
  return listen.call(this, first, ...rest);
};
