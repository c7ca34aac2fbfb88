// The baseline: the same work written by hand, with node:http and the database driver.
//
// The same as in the product: the database (a copy, so schema, indices, triggers and rows are equal), the PRAGMAs,
// group commit, the statements of each case in order (caller, idempotency, transaction, tags, words, ledger, audit,
// events), the hashes (tokens, postings, request fingerprint), and the bytes of the answer.
//
// Left out, and so charged to the product by the ratio: validation of input and output (only JSON.parse), refusals (a
// fault ends the process), roles and scopes, rate limits, logs, request ids, timeouts, graceful shutdown.
import { createServer } from "node:http";
import { createTransaction } from "./create.mjs";
import { findCaller, signIn } from "./credentials.mjs";
import { payPage } from "./pay-page.mjs";
import { listTransactions, retrieveTransaction } from "./reads.mjs";
import { refresh } from "./refresh.mjs";

const { BASELINE_DATABASE: address, BASELINE_GROUPS: baselineGroups = "yes" } = process.env;
const engine = await (address.startsWith("postgres") ? import("./postgres.mjs") : import("./sqlite.mjs"));
const db = engine.open(address, { groups: baselineGroups === "yes" });

async function answer(request, path, query) {
  const { method, headers } = request;
  if (path === "/healthz") return { ok: true };
  if (path.startsWith("/pay/")) return payPage(db, path.slice("/pay/".length));
  if (path === "/v1/auth/login") return signIn(db, JSON.parse(await bodyOf(request)));
  if (path === "/v1/auth/refresh") return refresh(db, headers, JSON.parse(await bodyOf(request)));
  const caller = await findCaller(db, headers);
  if (method === "POST") return createTransaction(db, caller, headers["idempotency-key"], await bodyOf(request));
  if (path === "/v1/transactions") return listTransactions(db, caller, new URLSearchParams(query));
  return retrieveTransaction(db, caller, path.slice("/v1/transactions/".length));
}

function bodyOf(request) {
  return new Promise((resolve) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => resolve(text));
  });
}

const server = createServer(async (request, response) => {
  const [path, query] = request.url.split("?");
  const answered = await answer(request, path, query);
  const isPage = typeof answered === "string";
  const body = isPage ? answered : JSON.stringify(answered);
  const type = isPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8";
  response.writeHead(200, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) }).end(body);
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));
