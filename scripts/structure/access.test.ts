// The check of permissions finds decisions by role or kind of caller, and leaves the rest alone.
import { describe, expect, it } from "vitest";
import { faultsOfAccess } from "./access";
import { parseSource } from "./source";

describe("access", () => {
  const accessOf = (file: string, code: string) => faultsOfAccess(parseSource(file, `// A.\n${code}`));

  it.each([
    'const mayRefund = user.role === "admin";',
    'if ("member" !== role) refuse();',
    'const isKey = ctx.actor.type == "api_key";',
    'const own = actor.type === "user" ? actor.userId : null;',
    'switch (actor.type) { case "anonymous": refuse(); }',
    'const isAllowed = ["admin", "support"].includes(user.role);',
    'const isIn = eq(users.role, "admin");',
    'const isOut = notInArray(users.role, ["viewer", "member"]);',
    "const former = sql<boolean>`u.role <> 'admin'`;",
  ])("finds a decision by the kind of caller: %s", (code) => {
    expect(accessOf("server/domains/users/find.ts", code)).toHaveLength(1);
    expect(accessOf("app/dashboard/page.tsx", code)).toHaveLength(1);
  });

  it.each([
    'const mayRefund = may("transactions.create.refund", ctx.actor);',
    'const isPerson = subject.type === "user";',
    'const made = { role: "admin" };',
  ])("leaves the rest alone: %s", (code) => {
    expect(accessOf("server/domains/users/find.ts", code)).toEqual([]);
  });

  it("leaves server/access, the exceptions and tests alone", () => {
    const code = 'const isAdmin = actor.role === "admin";';
    for (const file of ["server/access/may.ts", "server/kit/identity.ts", "server/domains/users/find.test.ts"]) {
      expect(accessOf(file, code)).toEqual([]);
    }
  });
});
