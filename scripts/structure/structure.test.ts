// The structure rules find what they should, and nothing else.
import { describe, expect, it } from "vitest";
import { faultsOfBounds } from "./bounds";
import { faultsOfExports } from "./exports";
import { faultsOfImports } from "./imports";
import { faultsOfShape } from "./shape";
import { parseSource } from "./source";
import { faultsOfSql } from "./sql";
import { faultsOfTexts } from "./texts";

const importsOf = (file: string, text: string) => faultsOfImports(parseSource(file, text));

describe("imports", () => {
  it.each([
    ["db/client.ts", 'import { x } from "@/server/process/env";', "db must not use the machinery of server/"],
    ["server/kit/page.ts", 'import { x } from "../domains/users/find";', "must not use server/domains"],
    ["server/access/rules.ts", 'import { x } from "@/server/domains/users/find";', "must not use server/domains"],
    ["server/domains/users/find.ts", 'import { x } from "@/server/pipeline/perform";', "must not use server/pipeline"],
    ["server/domains/users/find.test.ts", 'import { x } from "@/server/http/rest";', "must not use server/http"],
    ["server/reports/list.ts", 'import { x } from "@/server/kit/ids";', "a new folder needs its place"],
    ["server/http/rest.ts", 'import { x } from "@/server/domains/users/store";', "only domains use stores"],
    ["server/domains/users/find.ts", 'import { x } from "@/app/page";', "must not use app"],
    ["server/domains/users/find.ts", 'import { eq } from "drizzle-orm";', "SQL belongs in"],
    ["server/domains/users/find.ts", 'import { users } from "@/db/tables";', "SQL belongs in"],
    ["app/page.tsx", 'const pg = await import("pg");', "SQL belongs in"],
    ["server/domains/users/find.ts", 'import { Lucia } from "lucia";', "only server/domains/sessions"],
    ["app/_ui/a.tsx", '// A.\n"use client";\nimport { x } from "@/server/domains/users/find";', "only types"],
    ["server/kit/limits.ts", 'import { x } from "./ids";', "imports nothing"],
    ["server/domains/users/find.ts", 'import { x } from "../accounts/find";', "users comes before accounts"],
    ["server/domains/users/find.ts", 'import type { X } from "../accounts/find";', "users comes before accounts"],
    ["server/domains/users/find.test.ts", 'import { x } from "../accounts/find";', "users comes before accounts"],
    [
      "server/domains/transactions/store.ts",
      'import { x } from "../payments/store";',
      "transactions comes before payments",
    ],
    ["server/domains/users/find.ts", 'import { x } from "../loyalty/find";', "needs its place"],
    ["server/domains/loyalty/find.ts", 'import { x } from "../users/find";', "needs its place"],
    ["server/main.ts", 'import { x } from "../scripts/run.mjs";', "does not import its tools"],
    ["server/domains/users/find.ts", 'import { x } from "@/test/prometheus";', "does not import its tools"],
    ["server/domains/users/find.ts", 'const x = require("../accounts/find");', "users comes before accounts"],
    ["server/domains/users/worker.cjs", 'const x = require("../accounts/find.cjs");', "users comes before accounts"],
    ["server/domains/users/find.ts", 'import x = require("../accounts/find");', "users comes before accounts"],
    ["server/domains/users/find.test.ts", 'vi.importMock("../accounts/find");', "users comes before accounts"],
    ["server/domains/users/find.test.ts", 'vi.importActual("@/server/http/rest");', "must not use server/http"],
    ["server/domains/users/find.ts", "const x = await import(file);", "computes what it imports"],
  ])("%s: %s", (file, text, reason) => {
    expect(importsOf(file, text).join()).toContain(reason);
  });

  it.each([
    ["server/domains/users/store.ts", 'import { eq } from "drizzle-orm"; import { users } from "@/db/tables";'],
    ["server/domains/users/find.ts", 'import { findUser } from "./store"; import type { SQL } from "drizzle-orm";'],
    ["server/domains/accounts/authorized-account.ts", 'import { findUser } from "@/server/domains/users/store";'],
    ["server/domains/steps.ts", 'import { x } from "./payments/steps"; import { y } from "./accounts/balances";'],
    ["server/domains/sessions/lucia.ts", 'import { Lucia } from "lucia";'],
    [
      "server/domains/users/find.test.ts",
      'import { users } from "@/db/tables"; import { x } from "@/test/prometheus";',
    ],
    ["app/_ui/a.tsx", '"use client";\nimport type { AppRouter } from "@/server/pipeline/trpc-router";'],
    ["app/_ui/a.tsx", '"use client";\nimport { type AppRouter } from "@/server/pipeline/trpc-router";'],
    ["app/_ui/a.tsx", '"use client";\nimport { limits } from "@/server/kit/limits";'],
  ])("%s may: %s", (file, text) => {
    expect(importsOf(file, text)).toEqual([]);
  });
});

describe("sql", () => {
  const uses = (table: string, rest = "") =>
    `import { eq } from "drizzle-orm"; import { ${table} } from "@/db/tables";${rest}`;
  const sqlOf = (files: Record<string, string>) =>
    faultsOfSql(Object.entries(files).map(([file, text]) => parseSource(file, text))).join("\n");

  it("refuses a table that no one owns, and an owner without a table", () => {
    const faults = sqlOf({ "db/tables.ts": "export const { users, coupons } = tables;" });
    expect(faults).toContain("db/tables.ts has the table coupons, which no one owns");
    expect(faults).not.toContain("table users");
    expect(faults).toContain("names the table payments, which db/tables.ts does not have");
  });

  it("refuses to read what a domain above owns, under any name, in a join as in a type", () => {
    for (const text of [uses("accounts"), uses("accounts as a"), 'import type { accounts } from "@/db/tables";']) {
      expect(sqlOf({ "server/domains/users/store.ts": text })).toContain("users comes before accounts");
    }
    expect(sqlOf({ "db/throttles.ts": uses("users") })).toContain("db must not use server/domains");
    expect(sqlOf({ "server/domains/users/store.ts": uses("tables") })).toContain("name each table");
  });

  it.each([
    'import * as tables from "@/db/tables";',
    'const { users } = await import("@/db/tables");',
    'export { users } from "@/db/tables";',
    'export * from "@/db/tables";',
  ])("refuses to import tables without their names: %s", (text) => {
    expect(sqlOf({ "server/domains/users/store.ts": text })).toContain("name each table");
  });

  it("refuses to import the definition of a table, but not the values of its columns", () => {
    const defined = 'import { buildTables } from "@/db/schema/build";';
    expect(sqlOf({ "server/domains/users/store.ts": defined })).toContain("take tables from db/tables");
    expect(sqlOf({ "db/tables.ts": defined })).not.toContain("take tables");
    expect(sqlOf({ "server/kit/a.ts": 'import { roles } from "@/db/schema/values";' })).toBe("");
  });

  it.each(["insert into", "update", "delete from", "DELETE FROM"])("finds %s in a template as a write", (verb) => {
    const write = (table: string) => `sql\`${verb} \${${table}} set x = \${1}\`;`;
    const store = "server/domains/sessions/user-store.ts";
    expect(sqlOf({ [store]: uses("users", write("users")) })).toContain(`${store}:1 writes users`);
    expect(sqlOf({ "server/domains/users/store.ts": uses("users", write("users")) })).toBe("");
    expect(sqlOf({ [store]: uses("users", `sql\`select 1 from \${users} for update\`;`) })).toBe("");
  });

  it.each([
    'tx.run("delete from payments");',
    `tx.run(sql\`select 1 from users where id = \${id}\`);`,
    `tx.run(\`INSERT INTO api_keys VALUES (\${id})\`);`,
    "tx.run('update \"ledger_accounts\" set balance = 0');",
    'const rows = "select 1 from x join journals on true";',
  ])("refuses a table that is named in text: %s", (text) => {
    expect(sqlOf({ "server/domains/users/store.ts": text })).toContain("in text");
    expect(sqlOf({ "server/domains/ledger/verify/chains.ts": text, "server/a.test.ts": text })).toBe("");
  });

  it("leaves texts that are no statements", () => {
    expect(sqlOf({ "server/kit/a.ts": 'const text = "Money from accounts; update payments.";' })).toBe("");
  });

  it.each(["insert", "update", "delete"])("refuses to %s rows that another domain owns", (verb) => {
    const write = (table: string) => `tx.${verb}(${table}).values({});`;
    const store = "server/domains/sessions/user-store.ts";
    expect(sqlOf({ [store]: uses("users", write("users")) })).toContain(`${store}:1 writes users`);
    expect(sqlOf({ [store]: uses("users as people", write("people")) })).toContain(`${store}:1 writes users`);
    expect(sqlOf({ "server/domains/users/store.ts": uses("users", write("users")) })).toBe("");
  });

  it("refuses a second store that writes a table", () => {
    const [first, second] = ["server/domains/users/store.ts", "server/domains/users/other-store.ts"];
    const faults = sqlOf({
      [first]: uses("users", "tx.insert(users).values({});"),
      [second]: uses("users", "tx.delete(users);"),
    });
    expect(faults).toBe(`${first} and ${second} write users: only one store may`);
  });

  it("lets a store read and lock the tables below it, and a test use any table", () => {
    const reading = uses("users", "tx.select().from(users); lock(tx, users, ids); cache.delete(key);");
    expect(sqlOf({ "server/domains/sessions/store.ts": reading })).toBe("");
    const writing = uses("payments", "tx.insert(payments).values({});");
    expect(sqlOf({ "server/domains/users/find.test.ts": writing, "test/world.ts": writing })).toBe("");
  });
});

describe("shape", () => {
  const shapeOf = (file: string, text: string) => faultsOfShape(parseSource(file, text)).join("\n");

  it("refuses long files, barrels, vague names, files without a purpose and unfinished work", () => {
    expect(shapeOf("server/a.ts", `// A.\n${"x;\n".repeat(400)}`)).toContain("401 lines");
    expect(shapeOf("server/users/index.ts", "// A.")).toContain("barrel");
    expect(shapeOf("server/kit/utils.ts", "// A.")).toContain("says nothing");
    expect(shapeOf("server/a.ts", "export const a = 1;")).toContain("comment");
    expect(shapeOf("server/a.ts", `// A.\n// ${"TO"}${"DO"}: more`)).toContain("unfinished");
  });

  it("refuses a long function, but not the tables of the schema", () => {
    const text = `// A.\nexport function a() {\n${"x;\n".repeat(69)}}\n`;
    expect(shapeOf("server/a.ts", text)).toContain("server/a.ts:2 has a function of 71 lines");
    expect(shapeOf("server/a.ts", text.replace("x;\n", ""))).toBe("");
    expect(shapeOf("db/schema/a.ts", text)).toBe("");
  });

  it("allows tests more lines, and tables of tests any number", () => {
    const lines = (count: number) => `// A.\n${"x;\n".repeat(count - 1)}`;
    expect(shapeOf("server/a.test.ts", lines(500))).toBe("");
    expect(shapeOf("e2e/a.spec.ts", lines(501))).toContain("501 lines; 500 is the most");
    expect(shapeOf("test/stories/access.test.ts", lines(900))).toBe("");
    const long = (caller: string) => `// A.\n${caller}("a", () => {\n${"x;\n".repeat(119)}});\n`;
    expect(shapeOf("server/a.test.ts", long("it"))).toContain("function of 121 lines; 120 is the most");
    expect(shapeOf("server/a.test.ts", long("describe.each(all)"))).toBe("");
    expect(shapeOf("e2e/a.spec.ts", long("test.describe"))).toBe("");
  });

  it("allows a directive or a shebang before the first line", () => {
    expect(shapeOf("app/a.tsx", '"use client";\n// A.\n')).toBe("");
    expect(shapeOf("scripts/a.mjs", "#!/usr/bin/env node\n// A.\n")).toBe("");
  });
});

describe("exports", () => {
  const exportsOf = (files: Record<string, string>) =>
    faultsOfExports(Object.entries(files).map(([file, text]) => parseSource(file, text))).join("\n");
  const exporting = "export const a = 1; export const { b, c: [d] } = x; export interface E {} export { f };";

  it("refuses what no other file imports, and a mock is no import", () => {
    const faults = exportsOf({ "server/a.ts": exporting, "server/b.test.ts": 'vi.unmock("./a");' });
    expect(faults.match(/exports \w+/g)).toEqual(["f", "a", "b", "d", "E"].map((name) => `exports ${name}`));
  });

  it.each([
    'import { a, b, d, type E, f } from "./a";',
    'import { a as z, b, d, E, f } from "@/server/a";',
    'import * as all from "./a";',
    'const { a } = await import("./a");',
  ])("allows what is imported: %s", (text) => {
    expect(exportsOf({ "server/a.ts": exporting, "server/b.ts": text })).toBe("");
  });

  it("allows what Next takes by name, and a default", () => {
    expect(exportsOf({ "app/a/page.tsx": exporting, "server/a.ts": "export default function a() {}" })).toBe("");
  });
});

describe("texts", () => {
  const textsOf = (jsx: string) => faultsOfTexts(parseSource("app/a.tsx", `// A.\nexport const a = ${jsx};`));

  it("finds texts between tags, in braces and in attributes that people read", () => {
    expect(textsOf("<p>Hello</p>")).toHaveLength(1);
    expect(textsOf('<p>{"Hello"}</p>')).toHaveLength(1);
    expect(textsOf('<Input label="Amount" />')).toHaveLength(1);
  });

  it("ignores values that no one reads", () => {
    expect(textsOf('<Input type="email" label={t("email")}>{amount} · 1</Input>')).toEqual([]);
  });
});

describe("bounds", () => {
  const boundsOf = (text: string, file = "server/kit/a.tsx") => faultsOfBounds(parseSource(file, `// A.\n${text}`));

  it.each([
    "z.string().max(40);",
    "z.array(id).min(2);",
    "z.string().regex(/^[a-z]{1,40}$/);",
    "const field = <TextInput maxLength={80} />;",
    'const field = <input maxLength="80" />;',
    "const field = { name, maxLength: 80 };",
    `const page = html\`<input maxlength="80" name=\${name}>\`;`,
    "const cut = text.slice(0, 500);",
    "const mostLines = 100;",
    "const maxBytes = 64 * 1024;",
    "export const healedAtOnce = 1_000;",
    'const text = "Use at least 8 characters.";',
    'const text = "must be at most 366 days from now";',
    `const text = \`The body \${name} is larger than 64 KiB.\`;`,
    `const check = sql\`\${column} between 1 and 999999\`;`,
    "const lifeMs = 30 * 86_400_000;",
  ])("refuses: %s", (text) => {
    expect(boundsOf(text)).toHaveLength(1);
  });

  it.each([
    "z.string().max(limits.name);",
    "z.string().min(1);",
    "z.array(z.enum(values)).max(values.length);",
    "const left = Math.max(0, 100);",
    "z.string().regex(/^[0-9a-f]{64}$/);",
    "const cut = text.slice(0, limits.name);",
    "const day = new Date(now).toISOString().slice(0, 10);",
    'const tag = createHash("sha256").digest("hex").slice(0, 32);',
    "const network = groups.slice(0, 4);",
    "const longestWaitMs = 100;",
    "const LONGEST_WAIT_MS = 100;",
    "const mostRecent = rows[0];",
    "const field = <TextInput maxLength={limits.name} />;",
    'const text = "3 or 4 digits";',
  ])("leaves: %s", (text) => {
    expect(boundsOf(text)).toEqual([]);
  });

  it.each([
    "server/kit/limits.ts",
    "server/process/env-schema.ts",
    "server/domains/ledger/verify/payments.ts",
    "server/kit/a.test.ts",
    "e2e/a.ts",
  ])("leaves %s", (file) => {
    expect(boundsOf("const most = 100;", file)).toEqual([]);
  });

  it("refuses bounds in message catalogs", () => {
    const boundsIn = (text: string) => faultsOfBounds(parseSource("messages/en.json", JSON.stringify({ a: { text } })));
    expect(boundsIn("Use at most 128 characters.")).toHaveLength(1);
    expect(boundsIn("Use at most {max} characters.")).toEqual([]);
  });
});
