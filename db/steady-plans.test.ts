// Parameters of SQLite's statements as expressions: the same rows for any value.
import BetterSqlite from "better-sqlite3";
import { expect, it } from "vitest";
import { withSteadyPlan } from "./steady-plans";

it.each([
  ["select a from t where b = ? and c <> ? limit ?", "select a from t where b = +? and c <> +? limit +?"],
  ["where a <= ? and (a < ? or b >= ?) limit ? offset ?", "where a <= +? and (a < +? or b >= +?) limit +? offset +?"],
  ["where a in (?, ?) and b in (?)", "where a in (+?, +?) and b in (+?)"],
  ["insert into t (a, b) values (?, ?), (?, ?)", "insert into t (a, b) values (?, ?), (?, ?)"],
  ["update t set a = ? where id = ?", "update t set a = +? where id = +?"],
  ["select a from t where b = 'x' and c is not null", "select a from t where b = 'x' and c is not null"],
])("%s", (given, expected) => expect(withSteadyPlan(given)).toBe(expected));

it("keeps the type of each value, and finds the same rows", () => {
  const db = new BetterSqlite(":memory:");
  db.exec("create table t (id integer primary key, a any, b text, c integer) strict");
  const insert = db.prepare("insert into t values (?, ?, ?, ?)");
  const values = [null, 0, 1, 1.5, 2n ** 62n, "1", "", "01", Buffer.from("1")];
  for (const [id, value] of values.entries()) insert.run(id, value, String(id), id);
  const conditions = ["a = ?", "a < ?", "a >= ?", "a <> ?", "a in (?)", "b = ?", "c = ?", "c <= ?", "id = ?"];
  for (const condition of conditions) {
    const text = `select id, typeof(a) from t where ${condition} order by id`;
    for (const value of values) {
      expect(db.prepare(withSteadyPlan(text)).all(value)).toEqual(db.prepare(text).all(value));
    }
  }
  const set = db.prepare(withSteadyPlan("update t set a = ? where id = ?"));
  const stored = db.prepare("select typeof(a) from t where id = 0").pluck();
  for (const value of values) {
    set.run(value, 0);
    const [bare] = db.prepare("select typeof(?)").raw().get(value) as [string];
    expect(stored.get()).toBe(bare);
  }
  db.close();
});
