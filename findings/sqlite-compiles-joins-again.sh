#!/bin/sh
# SQLite 3.54 compiles a prepared join again for each run if the parameters are cleared in between, as better-sqlite3
# does: it looks at the value of a bare parameter while it plans, and another value might want another plan. SQLite 3.53
# did so for LIMIT only. Nothing fails, and the plan stays the same, but a query that finds one row by its key, such as the
# look-up of a session and its user, takes several times as long. Whoever updates a driver gets this with it. Written as
# an expression (`= +?`), the parameter is not looked at, the index is still used, and the statement is compiled once.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error \
  before@npm:@sqlite.org/sqlite-wasm@3.53.4-build2 after@npm:@sqlite.org/sqlite-wasm@3.54.1-build1 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
const runs = 100;

/** How often the statement is compiled again while it runs so many times. */
function recompiled({ capi, wasm, oo1 }, text) {
  const db = new oo1.DB(":memory:");
  db.exec("create table users (id text primary key, name text)");
  db.exec("create table sessions (id integer primary key, user_id text)");
  db.exec("insert into users values ('u', 'Ada'); insert into sessions values (1, 'u')");
  const statement = db.prepare(text);
  for (let n = 0; n < runs; n++) {
    statement.bind(1, 1);
    statement.step();
    statement.reset();
    statement.clearBindings();
  }
  const count = capi.sqlite3_stmt_status(statement.pointer, capi.SQLITE_STMTSTATUS_REPREPARE, 0);
  statement.finalize();
  db.close();
  return count;
}

const join = "select users.name from sessions join users on users.id = sessions.user_id where sessions.id = ";
const found = {};
for (const name of ["before", "after"]) {
  const { default: initialize } = await import(name);
  const sqlite = await initialize({ print: () => {}, printErr: () => {} });
  found[name] = { bare: recompiled(sqlite, `${join}?`), expression: recompiled(sqlite, `${join}+?`) };
  const { bare, expression } = found[name];
  console.log(`SQLite ${sqlite.version.libVersion}: ${runs} runs compile it again ${bare} times; with +?, ${expression}.`);
}
console.log("Expected: a prepared statement is compiled once.");

const isSo = found.before.bare === 0 && found.after.bare === runs && found.after.expression === 0;
if (!isSo) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
