// DELETE /v1/users/{user_id}: what is removed with a user, what stays, and who may remove whom.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  accounts,
  apiKeys,
  auditEntries,
  events,
  idempotencyKeys,
  mails,
  savedViews,
  sessions,
  users,
} from "@/db/tables";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { getAccount } from "@/server/domains/accounts/operations/get";
import { rotateApiKey } from "@/server/domains/api-keys/operations/rotate";
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { inBackground } from "@/server/domains/records/in-background";
import { login } from "@/server/domains/sessions/operations/login";
import { notifyUser } from "@/server/domains/users/notices";
import type { Actor } from "@/server/kit/context";
import {
  anonymous,
  apiKey,
  boundTo,
  callWith,
  newEmail,
  newPerson,
  type Person,
  password,
  signIn,
} from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { removeUser } from "./remove-user";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
let person: Person;
beforeAll(async () => {
  world = await openWorld({ ACCOUNTS_PER_OWNER: "10" });
  org = await world.organization();
  foreign = await world.organization("Globex");
});
beforeEach(async () => {
  person = await newPerson(world, org.admin.actor);
});
afterAll(() => world.close());

const remove = (actor: Actor, user_id: string, new_owner_user_id?: string) =>
  world.call(removeUser, actor, { user_id, new_owner_user_id });
const rowOf = async (id: string) => (await world.runtime.db.read.select().from(users).where(eq(users.id, id)))[0];

describe("200", () => {
  it("ends sessions and tokens from the next request on, and returns how many", async () => {
    await signIn(world, person.email);
    expect(await remove(org.admin.actor, person.userId)).toEqual({
      user_id: person.userId,
      removed: true,
      revoked_sessions: 2,
      revoked_tokens: 4,
      removed_at: new Date(world.clock.now()).toISOString(),
      orphaned_account_ids: [person.accountId],
    });
    const next = callWith(world, getAccount, person.accessToken, { account_id: person.accountId });
    expect(await refusalOf(next)).toBe("unauthorized");
    const rows = await world.runtime.db.read.select().from(sessions).where(eq(sessions.userId, person.userId));
    expect(rows.map((row) => row.endReason)).toEqual(["user_removed", "user_removed"]);
    const again = world.call(login, anonymous, { email: person.email, password });
    expect(await refusalOf(again)).toBe("invalid_credentials");
  });

  it("leaves a tombstone without personal data or secrets", async () => {
    const own = { userId: person.userId, list: "accounts", filters: { q: "ada" }, createdAt: 1 } as const;
    const { db } = world.runtime;
    await db.write((tx) => tx.insert(savedViews).values({ ...own, id: "vw_1", name: "Ada", nameKey: "ada" }));
    const listDisplays = { accounts: { columns: ["name"], rows: 20 } };
    await db.write((tx) => tx.update(users).set({ listDisplays }).where(eq(users.id, person.userId)));
    await remove(org.admin.actor, person.userId);
    const row = await rowOf(person.userId);
    expect(row).toMatchObject({
      status: "removed",
      removedAt: world.clock.now(),
      organizationId: org.id,
      role: "member",
      emailKey: null,
      emailVerifiedAt: null,
      name: null,
      passwordHash: null,
      accountId: null,
      mfaEnabled: false,
      lastLoginAt: null,
      listDisplays: null,
    });
    expect(await db.read.$count(savedViews, eq(savedViews.userId, person.userId))).toBe(0);
    expect(JSON.stringify(row)).not.toContain(person.email);
  });

  it("erases the mails to the user, also to an earlier address, and sends none of those that are queued", async () => {
    const address = { email: newEmail(), emailVerifiedAt: world.clock.now() };
    const earlier = { id: person.userId, organizationId: org.id, ...address, locale: null, timezone: null };
    await inBackground(world.runtime, "test", async (ctx) => {
      ctx.audit({ target: null });
      await notifyUser(ctx, earlier, { notice: "password_changed" });
    });
    const ofPerson = eq(mails.userId, person.userId);
    await world.runtime.db.write(async (tx) => {
      await tx
        .update(mails)
        .set({ lastError: `550 <${earlier.email}> unknown`, status: "failed" })
        .where(ofPerson);
      await tx
        .update(mails)
        .set({ status: "queued" })
        .where(and(ofPerson, eq(mails.kind, "verify_email")));
    });
    await remove(org.admin.actor, person.userId);
    const rows = await world.runtime.db.read.select().from(mails).where(ofPerson).orderBy(mails.kind);
    expect(rows).toMatchObject([
      { kind: "security_notice", status: "failed", lastError: null, text: null, html: null },
      { kind: "verify_email", status: "held", lastError: "user_removed", text: null, html: null },
    ]);
    expect(JSON.stringify(rows)).not.toContain("@example.com");
  });

  it("erases personal data from ended sessions and from the response stored for its Idempotency-Key", async () => {
    const call = { idempotencyKey: `made-${person.userId}` };
    const email = "forgotten@example.com";
    const made = await world.call(createUser, org.admin.actor, { email, password, name: "Forgotten" }, call);
    expect(await world.call(createUser, org.admin.actor, { email, password, name: "Forgotten" }, call)).toEqual(made);
    await signIn(world, email);
    await remove(org.admin.actor, made.user_id);
    const rows = await world.runtime.db.read.select().from(sessions).where(eq(sessions.userId, made.user_id));
    const cleared = { ip: null, userAgent: null, deviceId: null, clientVersion: null };
    expect(rows).toEqual([expect.objectContaining(cleared)]);
    const keys = await world.runtime.db.read.select().from(idempotencyKeys);
    expect(JSON.stringify(keys)).not.toMatch(/forgotten/i);
  });

  it("keeps the user's accounts in the organization without an owner", async () => {
    const second = { account_type: "business", account_name: "Second", email: "second@example.com" } as const;
    world.clock.advance(1000);
    const other = await world.call(createAccount, person.actor, second);
    const { orphaned_account_ids } = await remove(org.admin.actor, person.userId);
    expect(orphaned_account_ids).toEqual([person.accountId, other.account_id]);
    for (const account_id of orphaned_account_ids) {
      const account = await world.call(getAccount, org.admin.actor, { account_id });
      expect(account).toMatchObject({ owner_user_id: null, status: "open" });
      const [row] = await world.runtime.db.read.select().from(accounts).where(eq(accounts.id, account_id));
      expect(row?.orphanedAt).toBe(world.clock.now());
    }
  });

  it("gives the open accounts to another user, and still revokes the keys that the user made for them", async () => {
    const leaving = await newPerson(world, org.admin.actor, "admin");
    const closed = { account_type: "business", account_name: "Closed", email: "closed@example.com" } as const;
    const { account_id } = await world.call(createAccount, leaving.actor, { ...closed, owner_user_id: leaving.userId });
    await world.call(closeAccount, org.admin.actor, { account_id });
    const own = { accountId: leaving.accountId, createdBy: leaving.userId };
    const key = await apiKey(world, org.id, ["accounts:read"], own);
    const heir = await newPerson(world, org.admin.actor, "operator");
    const given = await remove(org.admin.actor, leaving.userId, heir.userId);
    expect(given.orphaned_account_ids).toEqual([account_id]);
    const account = await world.call(getAccount, org.admin.actor, { account_id: leaving.accountId });
    expect(account).toMatchObject({ owner_user_id: heir.userId, status: "open" });
    expect((await rowOf(heir.userId))?.accountId).toBe(leaving.accountId);
    const [row] = await world.runtime.db.read.select().from(apiKeys).where(eq(apiKeys.id, key.id));
    expect(row?.revokeReason).toBe("user_removed");
  });

  /** What becomes of keys for the user's account and for the organization, by their makers. */
  async function keysAfter(by: Actor, revoke_api_keys: boolean) {
    const leaving = await newPerson(world, org.admin.actor, "admin");
    const own = { accountId: leaving.accountId };
    const mine = await apiKey(world, org.id, ["accounts:read"], { ...own, createdBy: leaving.userId });
    const theirs = await apiKey(world, org.id, ["accounts:read"], { ...own, createdBy: org.admin.id });
    const organizations = await apiKey(world, org.id, ["accounts:read"], { createdBy: leaving.userId });
    const rotated = await apiKey(world, org.id, ["accounts:read"], { createdBy: leaving.userId });
    await world.call(rotateApiKey, org.admin.actor, { api_key_id: rotated.id });
    await world.call(removeUser, by, { user_id: leaving.userId, revoke_api_keys });
    const rowOf = async ({ id }: { id: string }) =>
      (await world.runtime.db.read.select().from(apiKeys).where(eq(apiKeys.id, id)))[0];
    const made = { mine, theirs, organizations, rotated };
    const rows = await Promise.all(Object.values(made).map(rowOf));
    const announced = await world.runtime.db.read.select().from(events).where(eq(events.type, "api_key.revoked"));
    const isAnnounced = ({ id }: { id: string }) => announced.some(({ objectId }) => objectId === id);
    expect(Object.values(made).map(isAnnounced)).toEqual(rows.map((row) => row?.revokedAt !== null));
    const [, , , last] = rows;
    return {
      revoked: Object.keys(made).filter((_, i) => rows[i]?.revokeReason === "user_removed"),
      hasPreviousSecret: last?.previousHash !== null,
    };
  }

  it("revokes the API keys of which the user knows the secret, and ends the previous secrets that the user made", async () => {
    const after = await keysAfter(org.admin.actor, true);
    expect(after).toEqual({ revoked: ["mine", "organizations"], hasPreviousSecret: false });
  });

  it("revokes only those for the user's own accounts if the call says so", async () => {
    const after = await keysAfter(org.admin.actor, false);
    expect(after).toEqual({ revoked: ["mine"], hasPreviousSecret: true });
  });

  it("frees the address for another sign-up", async () => {
    await remove(org.admin.actor, person.userId);
    const again = await world.call(createUser, anonymous, { email: person.email, password });
    expect(again.user_id).not.toBe(person.userId);
    await signIn(world, person.email);
  });

  it("a member can remove themselves, and an API key any member", async () => {
    expect((await remove(person.actor, person.userId)).removed).toBe(true);
    const key = await apiKey(world, org.id, ["users:write"]);
    const other = await newPerson(world, org.admin.actor);
    expect((await remove(key.actor, other.userId)).removed).toBe(true);
  });

  it("an admin can remove any admin, including themselves, while another one remains", async () => {
    const [first, second] = [
      await newPerson(world, org.admin.actor, "admin"),
      await newPerson(world, org.admin.actor, "admin"),
    ];
    await remove(first.actor, second.userId);
    await remove(first.actor, first.userId);
    expect((await rowOf(first.userId))?.status).toBe("removed");
  });

  it("writes one audit entry and one event, without the address", async () => {
    await remove(org.admin.actor, person.userId);
    const { read } = world.runtime.db;
    const trail = await read.select().from(auditEntries).where(eq(auditEntries.targetId, person.userId));
    const log = await read.select().from(events).where(eq(events.objectId, person.userId));
    expect(trail.map((entry) => entry.operation).sort()).toEqual(["users.create", "users.remove"]);
    expect(log.map((event) => [event.type, event.sequence])).toEqual([
      ["user.created", 1],
      ["user.removed", 2],
    ]);
    expect(JSON.stringify([trail, log])).not.toContain(person.email);
  });
});

describe("400", () => {
  it("user_not_found for a user that the caller does not see, and for a removed one", async () => {
    await remove(org.admin.actor, person.userId);
    const unseen = [
      [org.admin.actor, person.userId],
      [org.admin.actor, foreign.member.id],
      [org.admin.actor, "usr_00000000000000000000000000"],
      [org.admin.actor, "someone"],
      [org.member.actor, org.other.id],
      [org.member.actor, org.admin.id],
      [org.member.actor, foreign.member.id],
    ] as const;
    for (const [actor, id] of unseen) expect(await refusalOf(remove(actor, id))).toBe("user_not_found");
    expect((await rowOf(foreign.member.id))?.status).toBe("active");
  });

  it("insufficient_permissions for anonymous callers, and for API keys without the scope or with an account", async () => {
    const reader = await apiKey(world, org.id, ["users:read"]);
    const { actor: unbound } = await apiKey(world, org.id, ["users:write"]);
    for (const actor of [anonymous, reader.actor, boundTo(person.accountId, unbound)]) {
      expect(await refusalOf(remove(actor, person.userId))).toBe("insufficient_permissions");
    }
  });

  it("user_not_found for a new owner who is unknown, removed or the same, and nobody is removed", async () => {
    const gone = await newPerson(world, org.admin.actor);
    await remove(org.admin.actor, gone.userId);
    for (const heir of [gone.userId, foreign.member.id, person.userId, "someone"]) {
      expect(await refusalOf(remove(org.admin.actor, person.userId, heir))).toBe("user_not_found");
    }
    expect((await rowOf(person.userId))?.status).toBe("active");
  });

  it("insufficient_permissions for a member who names a new owner", async () => {
    const refused = remove(person.actor, person.userId, org.other.id);
    expect(await refusalOf(refused)).toBe("insufficient_permissions");
  });

  it("too_many_accounts for a new owner who could not own them all", async () => {
    const account = { account_type: "business", account_name: "One", email: "one@example.com" } as const;
    for (let made = 1; made < world.runtime.env.accountsPerOwner; made++) {
      await world.call(createAccount, person.actor, account);
    }
    expect(await refusalOf(remove(org.admin.actor, person.userId, org.other.id))).toBe("too_many_accounts");
    expect((await rowOf(person.userId))?.status).toBe("active");
  });

  it("last_admin for the last admin, whom no API key removes either", async () => {
    const { id, admin } = await world.organization("Alone");
    const key = await apiKey(world, id, ["users:write"]);
    expect(await refusalOf(remove(admin.actor, admin.id))).toBe("last_admin");
    expect(await refusalOf(remove(key.actor, admin.id))).toBe("insufficient_permissions");
    expect((await rowOf(admin.id))?.status).toBe("active");
  });

  it("last_admin for one of two admins who remove each other concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, admin } = await world.organization(`Duel ${round}`);
      const rival = await world.user(id, "admin");
      const results = await Promise.allSettled([remove(admin.actor, rival.id), remove(rival.actor, admin.id)]);
      const refusals = results.filter((result) => result.status === "rejected");
      expect(refusals).toHaveLength(1);
      for (const { reason } of refusals) expect(reason).toMatchObject({ code: "last_admin" });
      const standing = [await rowOf(admin.id), await rowOf(rival.id)].filter((row) => row?.status === "active");
      expect(standing).toHaveLength(1);
    }
  });

  it("user_not_found for all but one of many concurrent calls", async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => remove(org.admin.actor, person.userId)));
    const refusals = results.filter((result) => result.status === "rejected");
    expect(refusals).toHaveLength(7);
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: "user_not_found" });
  });

  it("leaves no account with a removed owner under any interleaving of creating and removing", async () => {
    const account = { account_type: "individual", account_name: "New", email: "new@example.com" } as const;
    const calls = Array.from({ length: 8 }, () =>
      world.call(createAccount, org.admin.actor, { ...account, owner_user_id: person.userId }),
    );
    calls.splice(4, 0, remove(org.admin.actor, person.userId) as never);
    for (const result of await Promise.allSettled(calls)) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "user_not_found" });
    }
    const owned = await world.runtime.db.read.select().from(accounts).where(eq(accounts.ownerUserId, person.userId));
    expect(owned).toEqual([]);
  });

  it("reauthentication_required from a dashboard session that is no longer fresh", async () => {
    if (person.actor.type !== "user") throw new Error("A person is a user.");
    const cookie = { ...person.actor, sessionKind: "cookie", authenticatedAt: world.clock.now() - 600_001 } as const;
    expect(await refusalOf(remove(cookie, person.userId))).toBe("reauthentication_required");
  });
});
