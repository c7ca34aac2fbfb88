// The access table's general properties. test/stories/access.test.ts says who may call what.
import { expect, test } from "vitest";
import { userRoles } from "@/db/schema/values";
import { may } from "./may";
import { type RuleName, rules } from "./rules";
import { scopeOf } from "./scope";

const names = Object.keys(rules) as RuleName[];
const organization = { isLive: false, membersRecordPayments: false };
const asRole = (role: string) => ({ type: "user" as const, role: role as (typeof userRoles)[number], userId: "usr_1" });

test("an admin may do whatever another role may do, except for what admins must spell out", () => {
  for (const role of userRoles) {
    const more = names.filter(
      (name) => may(name, asRole(role), { organization }) && !may(name, asRole("admin"), { organization }),
    );
    expect(more, role).toEqual(role === "member" ? ["accounts.close.byDefault"] : []);
  }
});

test("a role of a newer version may do nothing that needs a credential, and sees nothing of others", () => {
  const unknown = asRole("auditor");
  expect(names.filter((name) => may(name, unknown, { organization }))).toEqual([]);
  const session = { sessionId: "ses_1", sessionKind: "api" as const, authenticatedAt: 0, organizationId: "org_1" };
  expect(scopeOf({ ...unknown, ...session })).toMatchObject({ ownerUserId: "usr_1" });
});
