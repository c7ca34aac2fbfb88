// The yardstick: node:http and better-sqlite3 by hand, no framework, no ledger; what the stack can give at most.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import Database from "better-sqlite3";

const db = new Database(process.argv[2]);
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec("CREATE TABLE transactions (id TEXT PRIMARY KEY NOT NULL, body TEXT NOT NULL) STRICT");
const insert = db.prepare("INSERT INTO transactions (id, body) VALUES (?, ?)");
const select = db.prepare("SELECT body FROM transactions WHERE id = ?");

/** Inserts that arrive in one turn of the event loop share one commit, as they do in the product. */
let waiting = [];
function commitTogether(row, done) {
  if (waiting.push({ row, done }) > 1) return;
  setImmediate(() => {
    const group = waiting;
    waiting = [];
    db.exec("BEGIN IMMEDIATE");
    for (const { row } of group) insert.run(row.id, row.body);
    db.exec("COMMIT");
    for (const { done } of group) done();
  });
}

const server = createServer((request, response) => {
  const send = (body) => response.writeHead(200, { "Content-Type": "application/json" }).end(body);
  if (request.method === "GET") return send(select.get(request.url.slice("/v1/transactions/".length))?.body ?? "{}");
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const id = `txn_${randomBytes(16).toString("hex").slice(0, 26)}`;
    const body = JSON.stringify({ transaction_id: id, ...JSON.parse(text) });
    commitTogether({ id, body }, () => send(body));
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
