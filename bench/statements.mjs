// Preloaded for `npm run bench -- --statements`: records the statements that a server runs, and reports them on
// request.
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.cwd(), "package.json"));
let noted = [];

/** A statement's verb and tables: "select session_tokens sessions users". Null for BEGIN, COMMIT and the like. */
function shapeOf(text) {
  const [verb] = text.trim().toLowerCase().split(/\s/);
  const tables = [...text.replaceAll('"', "").matchAll(/\b(?:from|join|into|update) +([a-z_]+)/gi)].map(
    ([, name]) => name,
  );
  return tables.length > 0 ? [verb, ...tables.filter((name) => name !== "set")].join(" ") : null;
}

function note(text) {
  const shape = shapeOf(text);
  if (shape) noted.push(shape);
}

const Sqlite = require("better-sqlite3");
const probe = new Sqlite(":memory:");
const statement = Object.getPrototypeOf(probe.prepare("select 1"));
for (const method of ["run", "get", "all"]) {
  const original = statement[method];
  statement[method] = function (...values) {
    note(this.source);
    return original.apply(this, values);
  };
}
probe.close();

const { Client } = require("pg");
const { query } = Client.prototype;
Client.prototype.query = function (given, ...rest) {
  note(given.text ?? given);
  return query.call(this, given, ...rest);
};

process.on("message", (message) => {
  if (message === "statements") process.send(noted);
  noted = [];
});
process.channel?.unref();
