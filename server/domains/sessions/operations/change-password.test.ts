// Changing one's password: requires the current one, and ends every other session.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, events, knownDevices, tables, users } from "@/db/tables";
import { currentUser } from "@/server/domains/users/operations/current";
import { bearer, callWith, cookieJar, givePassword, password, signInAs } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { changePassword } from "./change-password";
import { login } from "./login";
import { signIn } from "./sign-in";

const minute = 60_000;
const next = "an entirely new passphrase";

let world: World;
let org: TestOrganization;

const change = (token: string, given: Partial<{ user: TestUser; current: string; next: string; key: string }> = {}) =>
  callWith(
    world,
    changePassword,
    { ...bearer(token), idempotencyKey: given.key ?? null },
    {
      user_id: (given.user ?? org.member).id,
      current_password: given.current ?? password,
      new_password: given.next ?? next,
    },
  );
const isAccepted = async (token: string) =>
  callWith(world, currentUser, bearer(token), {}).then(
    () => true,
    () => false,
  );
const canSignIn = async (given: string) =>
  callWith(world, login, {}, { email: org.member.email, password: given }).then(
    () => true,
    () => false,
  );

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance(20 * minute);
  org = await world.organization();
});

describe("200", () => {
  it("sets the new password, ends all other sessions and keeps this one", async () => {
    const [own, second] = [await signInAs(world, org.member), await signInAs(world, org.member)];
    const other = await signInAs(world, org.other);
    expect(await change(own.access_token)).toEqual({
      user_id: org.member.id,
      revoked_sessions: 1,
      revoked_tokens: 2,
      changed_at: new Date(world.clock.now()).toISOString(),
    });
    expect(await isAccepted(own.access_token)).toBe(true);
    expect(await isAccepted(second.access_token)).toBe(false);
    expect(await isAccepted(other.access_token)).toBe(true);
    expect([await canSignIn(password), await canSignIn(next)]).toEqual([false, true]);
    const audits = await world.runtime.db.read.select().from(auditEntries);
    expect(audits.filter(({ operation }) => operation === "users.changePassword")).toMatchObject([
      { actorId: org.member.id, targetId: org.member.id, detail: { revoked_sessions: 1, revoked_tokens: 2 } },
    ]);
    const emitted = await world.runtime.db.read.select().from(events).where(eq(events.objectId, org.member.id));
    expect(emitted).toMatchObject([{ type: "user.updated", data: { user_id: org.member.id, fields: ["password"] } }]);
  });

  it("forgets the devices, and leaves neither password in the database", async () => {
    await givePassword(world, org.member);
    const jar = cookieJar();
    await callWith(world, signIn, jar.request, { email: org.member.email, password });
    const ofMember = eq(knownDevices.userId, org.member.id);
    expect(await world.runtime.db.read.$count(knownDevices, ofMember)).toBe(1);
    const input = { user_id: org.member.id, current_password: password, new_password: next };
    await callWith(world, changePassword, { cookie: jar.value("quittance_session"), idempotencyKey: "one" }, input);
    expect(await world.runtime.db.read.$count(knownDevices, ofMember)).toBe(0);
    for (const table of Object.values(tables)) {
      const rows = JSON.stringify(await world.runtime.db.read.select().from(table));
      expect([rows.includes(password), rows.includes(next)]).toEqual([false, false]);
    }
  });

  it("is replayed with its Idempotency-Key, and changes nothing a second time", async () => {
    const { access_token } = await signInAs(world, org.member);
    const first = await change(access_token, { key: "one" });
    const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, org.member.id));
    expect(await change(access_token, { key: "one" })).toEqual(first);
    const [again] = await world.runtime.db.read.select().from(users).where(eq(users.id, org.member.id));
    expect(again?.passwordHash).toBe(row?.passwordHash);
  });

  it("ends sessions that open concurrently with the old password", async () => {
    const { access_token } = await signInAs(world, org.member);
    const enter = () => callWith(world, login, {}, { email: org.member.email, password }).catch(() => null);
    const [, ...opened] = await Promise.all([change(access_token), ...Array.from({ length: 6 }, enter)]);
    for (const pair of opened) if (pair) expect(await isAccepted(pair.access_token)).toBe(false);
    expect(await isAccepted(access_token)).toBe(true);
  });

  it("succeeds once when two concurrent calls send the current password", async () => {
    const [one, two] = [await signInAs(world, org.member), await signInAs(world, org.member)];
    const calls = [change(one.access_token, { next: `${next} 1` }), change(two.access_token, { next: `${next} 2` })];
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect([await canSignIn(`${next} 1`), await canSignIn(`${next} 2`)].filter(Boolean)).toHaveLength(1);
  });
});

describe("400", () => {
  it("invalid_credentials for a wrong current password, counted like a failed sign-in", async () => {
    const { access_token } = await signInAs(world, org.member);
    for (let i = 0; i < 10; i++) {
      expect(await refusalOf(change(access_token, { current: "wrong" }))).toBe("invalid_credentials");
    }
    expect(await refusalOf(change(access_token))).toBe("rate_limited");
    expect(await canSignIn(password)).toBe(false);
    world.clock.advance(15 * minute);
    const again = await signInAs(world, org.member);
    expect((await change(again.access_token)).revoked_sessions).toBe(1);
  });

  it("weak_password for a new password that is easily guessed", async () => {
    const { access_token } = await signInAs(world, org.member);
    for (const weak of ["Password123!", "quittance1", "acme-acme-1", org.member.email]) {
      expect(await refusalOf(change(access_token, { next: weak }))).toBe("weak_password");
    }
    expect(await refusalOf(change(access_token, { next: "short" }))).toBe("invalid_request");
    expect(await canSignIn(password)).toBe(true);
  });

  it("for another user: user_not_found or insufficient_permissions", async () => {
    const [member, admin] = [await signInAs(world, org.member), await signInAs(world, org.admin)];
    expect(await refusalOf(change(member.access_token, { user: org.other }))).toBe("user_not_found");
    expect(await refusalOf(change(admin.access_token, { user: org.member }))).toBe("insufficient_permissions");
    const foreign = await world.organization();
    expect(await refusalOf(change(admin.access_token, { user: foreign.member }))).toBe("user_not_found");
  });
});
