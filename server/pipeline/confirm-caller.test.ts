// A privileged write whose caller loses the session, the API key or the role while it runs has no effect.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { auditEntries, organizations } from "@/db/tables";
import { isPrivileged } from "@/server/access/may";
import { type RuleName, rules } from "@/server/access/rules";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { revokeApiKey } from "@/server/domains/api-keys/operations/revoke";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { resendMail } from "@/server/domains/outbox/operations/resend";
import { endAllSessions } from "@/server/domains/sessions/operations/end-all";
import { invalidateSession } from "@/server/domains/sessions/operations/invalidate";
import { type Operation, saga } from "@/server/kit/operation";
import { removeUserOf } from "@/test/closing";
import { apiKey, callWith, newPerson, type Person } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
let person: Person;
/** What happens between the two transactions of the saga. */
let meanwhile: () => Promise<unknown>;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());
beforeEach(async () => {
  person = await newPerson(world, org.admin.actor, "admin");
});

const described = {
  ...{ summary: "Test", input: z.strictObject({}), output: z.strictObject({}) },
  errors: { insufficient_permissions: 400, reauthentication_required: 400 },
} as const;

const slow = (rule: RuleName, more: Pick<Operation, "concernsOthers"> = {}) =>
  saga({
    ...{ id: "test.slow", access: rules[rule], ...described, ...more },
    begin: async () => ({ intent: {} }),
    perform: () => meanwhile(),
    async finish({ ctx }) {
      ctx.audit({ target: person.userId, detail: { finished: true } });
      return {};
    },
  });

const finished = async () =>
  (await world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.operation, "test.slow"))).filter(
    ({ targetId }) => targetId === person.userId,
  ).length;

const demote = () => world.call(updateUser, org.admin.actor, { user_id: person.userId, role: "viewer" });

describe("a caller who is still allowed", () => {
  it("is not refused for other changes", async () => {
    meanwhile = () => world.call(updateUser, person.actor, { user_id: person.userId, name: "Renamed" });
    await callWith(world, slow("users.create.admin"), person.accessToken, {});
    expect(await finished()).toBe(1);
  });

  it("is not confirmed for an operation that every role may call", async () => {
    meanwhile = demote;
    await callWith(world, slow("mails.resend"), person.accessToken, {});
    expect(await finished()).toBe(1);
  });
});

describe("a call that may concern others, though every user may make it", () => {
  it.each([
    ["concerns others", true],
    ["concerns only the caller", false],
  ] as const)("is confirmed if it %s", async (_name, concernsOthers) => {
    meanwhile = demote;
    const call = callWith(
      world,
      slow("mails.resend", { concernsOthers: () => concernsOthers }),
      person.accessToken,
      {},
    );
    expect(
      await call.then(
        () => "ok",
        ({ code }) => code,
      ),
    ).toBe(concernsOthers ? "insufficient_permissions" : "ok");
    expect(await finished()).toBe(concernsOthers ? 0 : 1);
  });

  const operations: Operation[] = [endAllSessions, invalidateSession, createAccount, resendMail];
  // Named by id: written out in a title, an operation with its schemas takes gigabytes.
  it.each<[string, object, boolean]>([
    [endAllSessions.id, { user_id: "other" }, true],
    [endAllSessions.id, { user_id: "self" }, false],
    [invalidateSession.id, { session_id: "ses_other" }, true],
    [invalidateSession.id, {}, false],
    [createAccount.id, { owner_user_id: "other" }, true],
    [createAccount.id, { owner_user_id: null }, true],
    [createAccount.id, { owner_user_id: "self" }, false],
    [createAccount.id, {}, false],
    [resendMail.id, { mail_id: "mail_1" }, true],
  ])("%s with %o: %s", (operationId, given, expected) => {
    const { concernsOthers } = operations.find(({ id }) => id === operationId) ?? {};
    const input = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value === "self" ? person.userId : value]),
    );
    expect(concernsOthers?.(input, person.actor)).toBe(expected);
  });
});

describe("a caller who was", () => {
  const call = () => callWith(world, slow("users.create.admin"), person.accessToken, {});

  it.each([
    ["demoted", () => demote(), "insufficient_permissions"],
    ["removed", () => removeUserOf(world, org.admin.actor, person.userId), "unauthorized"],
    [
      "signed out",
      () => world.call(endAllSessions, org.admin.actor, { user_id: person.userId, keeps_current: false }),
      "unauthorized",
    ],
  ] as const)("%s writes nothing more", async (_name, change, refusal) => {
    meanwhile = change;
    expect(await refusalOf(call())).toBe(refusal);
    expect(await finished()).toBe(0);
  });

  it("demoted to a role with another scope writes nothing more, even if that role may call the operation", async () => {
    meanwhile = () => world.call(updateUser, org.admin.actor, { user_id: person.userId, role: "member" });
    expect(await refusalOf(callWith(world, slow("accounts.close"), person.accessToken, {}))).toBe(
      "insufficient_permissions",
    );
    expect(await finished()).toBe(0);
  });

  it("required to have a second factor meanwhile writes nothing more", async () => {
    const own = await world.organization();
    const admin = await newPerson(world, own.admin.actor, "admin");
    meanwhile = () =>
      world.runtime.db.write(async (tx) => {
        await tx.update(organizations).set({ requireMfa: "admins" }).where(eq(organizations.id, own.id));
      });
    const call = callWith(world, slow("users.create.admin"), admin.accessToken, {});
    expect(await refusalOf(call)).toBe("mfa_enrollment_required");
    expect(await finished()).toBe(0);
  });

  it("an API key, now revoked, writes nothing more", async () => {
    const key = await apiKey(world, org.id, ["users:write"]);
    meanwhile = () => world.call(revokeApiKey, org.admin.actor, { api_key_id: key.id });
    expect(await refusalOf(callWith(world, slow("users.create.member"), key.token, {}))).toBe("unauthorized");
    expect(await finished()).toBe(0);
  });
});

it("of two admins who demote each other, the second is refused", async () => {
  for (let round = 0; round < 5; round++) {
    const { admin } = await world.organization(`Duel ${round}`);
    const rivals = [
      await newPerson(world, admin.actor, "admin"),
      await newPerson(world, admin.actor, "admin"),
    ] as const;
    const demotes = ([by, other]: readonly [Person, Person]) =>
      callWith(world, updateUser, by.accessToken, { user_id: other.userId, role: "viewer" });
    const [one, two] = rivals;
    const results = await Promise.allSettled([demotes([one, two]), demotes([two, one])]);
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
    expect(refusals).toEqual(["insufficient_permissions"]);
  }
});

it("applies to what needs an admin or a fresh sign-in", () => {
  const names: RuleName[] = [
    ...(["users.create.member", "users.create.admin", "users.update.role", "users.update.role.promote"] as const),
    ...(["users.remove", "apiKeys.write", "accounts.close", "accounts.update.owner"] as const),
  ];
  expect(names.filter((name) => !isPrivileged(rules[name]))).toEqual([]);
  expect(isPrivileged(rules["payments.create"])).toBe(false);
});
