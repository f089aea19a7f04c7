// An OpenID provider that others wrote, on loopback: node openid_provider.mjs MODULES PORT BACK. Whoever signs in as NAME has
// the address NAME@example.com, which counts as verified unless the name begins with "new".
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, port, back] = process.argv.slice(2);
const entry = createRequire(`${modules}/`).resolve("oidc-provider");
const { default: Provider } = await import(pathToFileURL(entry).href);
const claims = (name) => ({ sub: name, email: `${name}@example.com`, email_verified: !name.startsWith("new") });
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: "kb", client_secret: "a-secret-of-the-counterpart", redirect_uris: [back], token_endpoint_auth_method: "client_secret_basic" }],
  claims: { email: ["email", "email_verified"] },
  conformIdTokenClaims: false,
  cookies: { keys: ["counterpart"] },
  pkce: { required: () => true },
  findAccount: (_, name) => ({ accountId: name, claims: () => claims(name) }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
