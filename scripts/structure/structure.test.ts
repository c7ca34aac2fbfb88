// The structure rules find what they are for, and leave the rest alone.
import { describe, expect, it } from "vitest";
import { faultsOfImports } from "./imports";
import { faultsOfShape } from "./shape";
import { parseSource } from "./source";
import { faultsOfTexts } from "./texts";

const importsOf = (file: string, text: string) => faultsOfImports(parseSource(file, text));

describe("imports", () => {
  it.each([
    ["db/client.ts", 'import { x } from "@/server/kit/env";', "db does not know server/kit"],
    ["server/kit/env.ts", 'import { x } from "../users/create";', "server/kit does not know server"],
    ["server/users/create.ts", 'import { x } from "@/app/page";', "server does not know app"],
    ["server/users/create.ts", 'import { x } from "@/server/accounts/store";', "belongs to its own domain"],
    ["server/users/create.ts", 'import { x } from "../accounts/store";', "belongs to its own domain"],
    ["server/users/create.ts", 'import { eq } from "drizzle-orm";', "SQL stands in"],
    ["server/users/create.ts", 'import { users } from "@/db/tables";', "SQL stands in"],
    ["app/page.tsx", 'const pg = await import("pg");', "SQL stands in"],
    ["server/users/create.ts", 'import { Lucia } from "lucia";', "only server/sessions"],
    ["app/_ui/a.tsx", '// A.\n"use client";\nimport { x } from "@/server/users/create";', "only types"],
    ["server/kit/limits.ts", 'import { x } from "./env";', "imports nothing"],
    ["server/main.ts", 'import { x } from "../scripts/run.mjs";', "does not import its tools"],
  ])("%s: %s", (file, text, reason) => {
    expect(importsOf(file, text).join()).toContain(reason);
  });

  it.each([
    ["server/users/store.ts", 'import { eq } from "drizzle-orm"; import { users } from "@/db/tables";'],
    ["server/users/create.ts", 'import { findUser } from "./store"; import type { SQL } from "drizzle-orm";'],
    ["server/users/create.ts", 'import { closeAccount } from "@/server/accounts/close";'],
    ["server/sessions/port.ts", 'import { Lucia } from "lucia";'],
    ["server/users/create.test.ts", 'import { users } from "@/db/tables";'],
    ["app/_ui/a.tsx", '"use client";\nimport type { AppRouter } from "@/server/router";'],
    ["app/_ui/a.tsx", '"use client";\nimport { type AppRouter } from "@/server/router";'],
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
