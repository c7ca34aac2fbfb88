// The structure rules find what they are for, and leave the rest alone.
import { describe, expect, it } from "vitest";
import { faultsOfImports } from "./imports";
import { faultsOfShape } from "./shape";
import { parseSource } from "./source";
import { faultsOfTexts } from "./texts";

const importsOf = (file: string, text: string) => faultsOfImports(parseSource(file, text));

describe("imports", () => {
  it.each([
    ["db/client.ts", 'import { x } from "@/server/process/env";', "db does not know the machinery of server/"],
    ["server/kit/page.ts", 'import { x } from "../domains/users/find";', "does not know server/domains"],
    ["server/access/rules.ts", 'import { x } from "@/server/domains/users/find";', "does not know server/domains"],
    ["server/domains/users/find.ts", 'import { x } from "@/server/pipeline/perform";', "does not know server/pipeline"],
    ["server/domains/users/find.test.ts", 'import { x } from "@/server/http/rest";', "does not know server/http"],
    ["server/http/rest.ts", 'import { x } from "@/server/domains/users/store";', "only domains use stores"],
    ["server/domains/users/find.ts", 'import { x } from "@/app/page";', "does not know app"],
    ["server/domains/users/find.ts", 'import { eq } from "drizzle-orm";', "SQL belongs in"],
    ["server/domains/users/find.ts", 'import { users } from "@/db/tables";', "SQL belongs in"],
    ["app/page.tsx", 'const pg = await import("pg");', "SQL belongs in"],
    ["server/domains/users/find.ts", 'import { Lucia } from "lucia";', "only server/domains/sessions"],
    ["app/_ui/a.tsx", '// A.\n"use client";\nimport { x } from "@/server/domains/users/find";', "only types"],
    ["server/kit/limits.ts", 'import { x } from "./ids";', "imports nothing"],
    ["server/main.ts", 'import { x } from "../scripts/run.mjs";', "does not import its tools"],
    ["server/domains/users/find.ts", 'import { x } from "@/test/world";', "does not import its tools"],
  ])("%s: %s", (file, text, reason) => {
    expect(importsOf(file, text).join()).toContain(reason);
  });

  it.each([
    ["server/domains/users/store.ts", 'import { eq } from "drizzle-orm"; import { users } from "@/db/tables";'],
    ["server/domains/users/find.ts", 'import { findUser } from "./store"; import type { SQL } from "drizzle-orm";'],
    ["server/domains/accounts/find.ts", 'import { findUser } from "@/server/domains/users/store";'],
    ["server/domains/sessions/lucia.ts", 'import { Lucia } from "lucia";'],
    ["server/domains/users/find.test.ts", 'import { users } from "@/db/tables"; import { x } from "@/test/world";'],
    ["app/_ui/a.tsx", '"use client";\nimport type { AppRouter } from "@/server/pipeline/trpc-router";'],
    ["app/_ui/a.tsx", '"use client";\nimport { type AppRouter } from "@/server/pipeline/trpc-router";'],
    ["app/_ui/a.tsx", '"use client";\nimport { limits } from "@/server/kit/limits";'],
  ])("%s may: %s", (file, text) => {
    expect(importsOf(file, text)).toEqual([]);
  });
});

describe("shape", () => {
  const shapeOf = (file: string, text: string) => faultsOfShape(parseSource(file, text)).join("\n");

  it("refuses long files, barrels, vague names, files without a purpose and unfinished work", () => {
    expect(shapeOf("server/a.ts", `// A.\n${"x;\n".repeat(250)}`)).toContain("251 lines");
    expect(shapeOf("server/users/index.ts", "// A.")).toContain("barrel");
    expect(shapeOf("server/kit/utils.ts", "// A.")).toContain("says nothing");
    expect(shapeOf("server/a.ts", "export const a = 1;")).toContain("comment");
    expect(shapeOf("server/a.ts", `// A.\n// ${"TO"}${"DO"}: more`)).toContain("unfinished");
  });

  it("takes a directive or a shebang before the first line", () => {
    expect(shapeOf("app/a.tsx", '"use client";\n// A.\n')).toBe("");
    expect(shapeOf("scripts/a.mjs", "#!/usr/bin/env node\n// A.\n")).toBe("");
  });
});

describe("texts", () => {
  const textsOf = (jsx: string) => faultsOfTexts(parseSource("app/a.tsx", `// A.\nexport const a = ${jsx};`));

  it("finds texts between tags, in braces and in attributes that are read", () => {
    expect(textsOf("<p>Hello</p>")).toHaveLength(1);
    expect(textsOf('<p>{"Hello"}</p>')).toHaveLength(1);
    expect(textsOf('<Input label="Amount" />')).toHaveLength(1);
  });

  it("leaves values that no one reads", () => {
    expect(textsOf('<Input type="email" label={t("email")}>{amount} · 1</Input>')).toEqual([]);
  });
});
