// PATCH /v1/users/{user_id}: own profiles, roles, the last admin, and races for both.
import { and, asc, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiKeys, auditEntries, events, users } from "@/db/tables";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { currentUser } from "@/server/domains/users/operations/current";
import { listUsers } from "@/server/domains/users/operations/list";
import type { Actor } from "@/server/kit/context";
import { closeAccountOf, removeUserOf } from "@/test/closing";
import { apiKey, callWith, newPerson } from "@/test/people";
import { openedWith, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { updateUser } from "./update-user";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ ACCOUNTS_PER_OWNER: "2" });
  org = await world.organization();
});
afterAll(() => world.close());

const update = (actor: Actor, user_id: string, input: Record<string, unknown>) =>
  world.call(updateUser, actor, { user_id, ...input });
const rowOf = async (id: string) => {
  const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, id));
  return row;
};

describe("a profile", () => {
  it("changes what is given, clears with null, and is found by the new name", async () => {
    const person = await world.user(org.id);
    const given = { name: "Zoë Quartz", locale: "de-AT", timezone: "Europe/Vienna" };
    expect(await update(person.actor, person.id, given)).toMatchObject({ ...given, role: "member" });
    const found = await world.call(listUsers, org.admin.actor, { q: "quartz" });
    expect(found.data.map((user) => user.user_id)).toEqual([person.id]);
    expect(await update(person.actor, person.id, { locale: null })).toMatchObject({ ...given, locale: null });
    expect(await update(person.actor, person.id, { name: null })).toMatchObject({ name: null });
    expect((await world.call(listUsers, org.admin.actor, { q: "quartz" })).data).toEqual([]);
  });

  it("leaves the names of its fields in the audit entry and the event, not their values", async () => {
    const person = await world.user(org.id);
    await update(person.actor, person.id, { name: "Secret Name", timezone: "Asia/Tokyo" });
    const { read } = world.runtime.db;
    const entries = await read.select().from(auditEntries).where(eq(auditEntries.targetId, person.id));
    expect(entries).toMatchObject([{ operation: "users.update", detail: { fields: ["name", "timezone"] } }]);
    const log = await read.select().from(events).where(eq(events.objectId, person.id));
    expect(log).toMatchObject([{ type: "user.updated", data: { user_id: person.id, fields: ["name", "timezone"] } }]);
  });

  it("refuses an invalid language, time zone or name, naming the field", async () => {
    for (const input of [
      { locale: "not a tag" },
      { timezone: "Mars/Olympus" },
      { name: " " },
      { name: "x".repeat(300) },
    ]) {
      const [field = ""] = Object.keys(input);
      const refused = update(org.member.actor, org.member.id, input);
      await expect(refused).rejects.toMatchObject({ code: "invalid_request", message: expect.stringContaining(field) });
    }
  });

  it("is repeated for the same Idempotency-Key without being stored", async () => {
    const person = await world.user(org.id);
    const input = { user_id: person.id, name: "Replayed Name" };
    const request = { idempotencyKey: `profile-${person.id}` };
    const first = await world.call(updateUser, person.actor, input, request);
    expect(await world.call(updateUser, person.actor, input, request)).toEqual(first);
  });
});

describe("a role", () => {
  it("takes effect on the next request, and the user keeps the accounts", async () => {
    const person = await newPerson(world, org.admin.actor);
    const listed = () => callWith(world, listUsers, person.accessToken, {});
    expect(await refusalOf(listed())).toBe("insufficient_permissions");
    expect(await update(org.admin.actor, person.userId, { role: "viewer" })).toMatchObject({
      ...{ role: "viewer", account_id: person.accountId },
    });
    await listed();
    await update(org.admin.actor, person.userId, { role: "operator" });
    expect(await refusalOf(listed())).toBe("insufficient_permissions");
    expect((await callWith(world, currentUser, person.accessToken, {})).role).toBe("operator");
  });

  it("emits an event and an audit entry with both roles; the same role changes nothing", async () => {
    const person = await world.user(org.id);
    await update(org.admin.actor, person.id, { role: "operator" });
    world.clock.advance(1000);
    await update(org.admin.actor, person.id, { role: "operator" });
    const { read } = world.runtime.db;
    const log = await read.select().from(events).where(eq(events.objectId, person.id));
    const data = { user_id: person.id, role: "operator", previous_role: "member" };
    expect(log).toMatchObject([{ type: "user.role_changed", data }]);
    const entries = await read
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.targetId, person.id), eq(auditEntries.actorId, org.admin.id)))
      .orderBy(asc(auditEntries.id));
    expect(entries.map(({ detail }) => detail)).toEqual([
      { fields: [], from: "member", to: "operator" },
      { fields: [] },
    ]);
  });

  it("account_required to become a member without an open account", async () => {
    const person = await world.user(org.id, "viewer");
    await closeAccountOf(world, org.admin.actor, person.accountId);
    expect(await refusalOf(update(org.admin.actor, person.id, { role: "member" }))).toBe("account_required");
    const account = await world.call(createAccount, org.admin.actor, {
      ...{ account_type: "individual", account_name: "Second", email: person.email, owner_user_id: person.id },
    });
    expect(await update(org.admin.actor, person.id, { role: "member" })).toMatchObject({
      ...{ role: "member", account_id: account.account_id },
    });
  });

  it("too_many_accounts to become a member who owns more accounts than members may", async () => {
    const person = await world.user(org.id, "operator");
    for (const account_name of ["Second", "Third"]) {
      await world.call(createAccount, org.admin.actor, {
        ...{ account_type: "individual", account_name, email: person.email, owner_user_id: person.id },
      });
    }
    expect(await refusalOf(update(org.admin.actor, person.id, { role: "member" }))).toBe("too_many_accounts");
  });

  it("reauthentication_required from an old dashboard sign-in, to make an admin or an operator", async () => {
    const person = await world.user(org.id);
    const old = { ...org.admin.actor, sessionKind: "cookie", authenticatedAt: world.clock.now() - 600_001 } as Actor;
    for (const role of ["operator", "admin"]) {
      expect(await refusalOf(update(old, person.id, { role }))).toBe("reauthentication_required");
    }
    expect((await update(old, person.id, { role: "viewer" })).role).toBe("viewer");
  });

  it.each([
    ["are revoked with the admin's role", undefined, true],
    ["stay if the call says so", false, false],
  ])("the API keys that an admin made %s", async (_what, revoke_api_keys, isRevoked) => {
    const rival = await world.user(org.id, "admin");
    const key = await apiKey(world, org.id, ["payments:read"], { createdBy: rival.id });
    const other = await apiKey(world, org.id, ["payments:read"]);
    const revoked = async () => {
      const rows = await world.runtime.db.read
        .select()
        .from(apiKeys)
        .where(inArray(apiKeys.id, [key.id, other.id]));
      return rows.filter(({ revokeReason }) => revokeReason === "admin_demoted").map(({ id }) => id);
    };
    await update(org.admin.actor, rival.id, { role: "admin" });
    expect(await revoked()).toEqual([]);
    await update(org.admin.actor, rival.id, { role: "operator", revoke_api_keys });
    expect(await revoked()).toEqual(isRevoked ? [key.id] : []);
  });

  it("reauthentication_required from an old dashboard sign-in, to take an admin's role away", async () => {
    const rival = await world.user(org.id, "admin");
    const old = { ...org.admin.actor, sessionKind: "cookie", authenticatedAt: world.clock.now() - 600_001 } as Actor;
    for (const role of ["member", "viewer", "operator"]) {
      expect(await refusalOf(update(old, rival.id, { role }))).toBe("reauthentication_required");
    }
    expect(await refusalOf(update(old, org.admin.id, { role: "viewer" }))).toBe("reauthentication_required");
    expect(await rowOf(rival.id)).toMatchObject({ role: "admin" });
    const fresh = { ...old, authenticatedAt: world.clock.now() } as Actor;
    expect((await update(fresh, rival.id, { role: "operator" })).role).toBe("operator");
    expect((await update(old, rival.id, { role: "viewer" })).role).toBe("viewer");
  });

  it("user_not_verified for another role than member before the address is verified, if mails are sent", async () => {
    const stranger = await world.user(org.id);
    const verify = (emailVerifiedAt: number | null) =>
      world.runtime.db.write(async (tx) => {
        await tx.update(users).set({ emailVerifiedAt }).where(eq(users.id, stranger.id));
      });
    await verify(null);
    const { runtime } = world;
    const mailing = openedWith(world, { ...runtime, env: { ...runtime.env, mail: {} as typeof runtime.env.mail } });
    for (const role of ["viewer", "operator", "admin"] as const) {
      const call = mailing.call(updateUser, org.admin.actor, { user_id: stranger.id, role });
      expect(await refusalOf(call)).toBe("user_not_verified");
    }
    expect(await update(org.admin.actor, stranger.id, { role: "viewer" })).toMatchObject({ role: "viewer" });
    await mailing.call(updateUser, org.admin.actor, { user_id: stranger.id, role: "admin" });
    await mailing.call(updateUser, org.admin.actor, { user_id: stranger.id, role: "member" });
    await verify(world.clock.now());
    await mailing.call(updateUser, org.admin.actor, { user_id: stranger.id, role: "operator" });
    expect(await rowOf(stranger.id)).toMatchObject({ role: "operator" });
  });

  it("user_not_found for a user who was removed", async () => {
    const person = await world.user(org.id);
    await removeUserOf(world, org.admin.actor, person.id);
    expect(await refusalOf(update(org.admin.actor, person.id, { role: "viewer" }))).toBe("user_not_found");
  });
});

describe("the last admin", () => {
  it("keeps the role", async () => {
    const { admin } = await world.organization("Alone");
    expect(await refusalOf(update(admin.actor, admin.id, { role: "operator" }))).toBe("last_admin");
    expect(await rowOf(admin.id)).toMatchObject({ role: "admin" });
    expect(await update(admin.actor, admin.id, { role: "admin", name: "Still" })).toMatchObject({ name: "Still" });
  });

  it("remains when another is made admin and both are removed, all at once", async () => {
    for (let round = 0; round < 10; round++) {
      const { id, admin, member } = await world.organization(`Promotion ${round}`);
      const key = await apiKey(world, id, ["users:write"]);
      const results = await Promise.allSettled([
        update(admin.actor, member.id, { role: "admin" }),
        removeUserOf(world, admin.actor, admin.id),
        removeUserOf(world, key.actor, member.id),
      ]);
      const [promoted, left, removed] = results.map(({ status }) => status === "fulfilled");
      const { read } = world.runtime.db;
      const admins = await read
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.organizationId, id), eq(users.role, "admin"), eq(users.status, "active")));
      // The admin leaves only once the member is an admin, and API keys remove no admins.
      const expected = [...(left ? [] : [admin.id]), ...(promoted ? [member.id] : [])];
      expect(admins.map((user) => user.id).sort()).toEqual(expected.sort());
      expect(expected.length, JSON.stringify(results)).toBeGreaterThan(0);
      expect([promoted, removed]).toContain(false);
    }
  });

  it("remains when the last two demote each other, themselves, or remove each other, all at once", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, admin } = await world.organization(`Round ${round}`);
      const rival = await world.user(id, "admin");
      const results = await Promise.allSettled([
        update(admin.actor, rival.id, { role: "viewer" }),
        update(rival.actor, admin.id, { role: "member" }),
        update(rival.actor, rival.id, { role: "operator" }),
        removeUserOf(world, admin.actor, admin.id),
      ]);
      // A user who was removed or demoted first is no longer an admin, so later changes to the same user may succeed.
      expect(results.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
      const { read } = world.runtime.db;
      const left = await read
        .select()
        .from(users)
        .where(and(eq(users.organizationId, id), eq(users.role, "admin"), eq(users.status, "active")));
      expect(left).toHaveLength(1);
      for (const result of results) {
        if (result.status === "rejected") expect(["last_admin", "user_not_found"]).toContain(result.reason.code);
      }
    }
  });
});
