// Passkeys: adding one, signing in with it, and what is refused. A challenge is answered once, within five minutes.
import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, passkeyChallenges, passkeys, recoveryCodes, throttles, users } from "@/db/tables";
import { ownFactors } from "@/server/domains/factors/operations/own";
import { addPasskey, removePasskey, renamePasskey, setUpPasskey } from "@/server/domains/factors/operations/passkeys";
import { removeTotp } from "@/server/domains/factors/operations/totp";
import { relyingParty } from "@/server/domains/factors/relying-party";
import { limits } from "@/server/kit/limits";
import { newAuthenticator } from "@/test/authenticator";
import { removeUserOf } from "@/test/closing";
import { giveTotp, onDashboard } from "@/test/factors";
import { callWith, cookieJar, givePassword, password } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { login } from "./operations/login";
import { passkeyChallenge, removeOldChallenges, signInWithPasskey } from "./operations/passkey-sign-in";
import { signIn } from "./operations/sign-in";

const minute = 60_000;
const origin = "http://localhost:3000";
let world: World;
let org: TestOrganization;

type Authenticator = ReturnType<typeof newAuthenticator>;
type Lie = Parameters<Authenticator["sign"]>[1];

const challengeFor = async (user: TestUser) =>
  (await world.call(setUpPasskey, onDashboard(world, user), {})).options.challenge;
async function add(user: TestUser, device: Authenticator = newAuthenticator(origin), lie: Lie = {}) {
  const answer = device.register(await challengeFor(user), lie);
  const added = await world.call(addPasskey, onDashboard(world, user), { ...answer, name: "Laptop" });
  return { device, ...added };
}
const ask = async () => (await callWith(world, passkeyChallenge, {}, {})).options.challenge;
const enter = (answer: ReturnType<Authenticator["sign"]>, more: { user_id?: string } = {}) =>
  callWith(world, signInWithPasskey, cookieJar().request, { ...answer, ...more });
const countOf = (table: typeof passkeys | typeof recoveryCodes) =>
  world.runtime.db.read.$count(table, eq(table.userId, org.member.id));

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance(20 * minute);
  org = await world.organization();
  await givePassword(world, org.member);
});

describe("a passkey", () => {
  it("signs in to the dashboard without a password, and ends sign-ins by the password alone", async () => {
    const { device, recovery_codes: codes } = await add(org.member);
    expect(codes).toHaveLength(10);
    const credentials = { email: org.member.email, password };
    expect(await refusalOf(callWith(world, signIn, {}, credentials))).toBe("mfa_required");
    expect(await refusalOf(callWith(world, login, {}, { ...credentials, otp: codes[0] ?? "" }))).toBe("mfa_required");
    expect((await callWith(world, signIn, {}, { ...credentials, otp: codes[0] ?? "" })).user_id).toBe(org.member.id);

    const jar = cookieJar();
    const answer = device.sign(await ask());
    const entered = await callWith(world, signInWithPasskey, jar.request, answer);
    expect(entered).toMatchObject({ user_id: org.member.id, role: "member" });
    expect(jar.value("quittance_session")).toMatch(/^qtcs_/);
    expect(await world.call(ownFactors, org.member.actor, {})).toMatchObject({
      passkeys: [{ name: "Laptop", is_synced: false, last_used_at: new Date(world.clock.now()).toISOString() }],
      passkeys_offered: true,
    });
  });

  it("answers a challenge once, and within five minutes", async () => {
    const { device } = await add(org.member);
    const answer = device.sign(await ask());
    const tries = await Promise.allSettled(Array.from({ length: 4 }, () => enter(answer)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const late = device.sign(await ask());
    world.clock.advance(5 * minute);
    expect(await refusalOf(enter(late))).toBe("passkey_refused");
    const count = () => world.runtime.db.read.$count(passkeyChallenges);
    expect(await count()).toBeGreaterThan(0);
    await removeOldChallenges(world.runtime, 100);
    expect(await count()).toBe(0);
  });

  it("is refused from another site, without verification, with a copied counter or a foreign signature", async () => {
    const { device } = await add(org.member);
    const { device: foreign } = await add(org.other);
    await enter(device.sign(await ask()));
    const lies: Lie[] = [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { isVerified: false },
      { counter: 1 },
    ];
    for (const lie of lies) expect(await refusalOf(enter(device.sign(await ask(), lie)))).toBe("passkey_refused");
    const { credential_id } = device.sign("");
    const mixed = { ...foreign.sign(await ask()), credential_id };
    expect(await refusalOf(enter(mixed))).toBe("passkey_refused");
    expect(await refusalOf(enter(newAuthenticator(origin).sign(await ask())))).toBe("passkey_refused");
    expect(await refusalOf(enter(device.sign("made up")))).toBe("passkey_refused");
    expect(await refusalOf(enter({ ...device.sign(await ask()), client_data: "e30" }))).toBe("passkey_refused");
    expect(await refusalOf(enter(device.sign(await challengeFor(org.member))))).toBe("passkey_refused");
  });

  it("for step-up is that of the same user", async () => {
    const { device } = await add(org.member);
    expect(await refusalOf(enter(device.sign(await ask()), { user_id: org.other.id }))).toBe("passkey_refused");
    expect((await enter(device.sign(await ask()), { user_id: org.member.id })).user_id).toBe(org.member.id);
  });

  it("no longer signs in once it or its user is removed", async () => {
    const { device } = await add(org.member);
    const actor = onDashboard(world, org.member);
    const [own] = (await world.call(ownFactors, actor, {})).passkeys;
    const passkey_id = own?.passkey_id ?? "";
    const foreign = onDashboard(world, org.other);
    expect(await refusalOf(world.call(removePasskey, foreign, { passkey_id }))).toBe("passkey_not_found");
    expect(await refusalOf(world.call(renamePasskey, foreign, { passkey_id, name: "Mine" }))).toBe("passkey_not_found");
    await world.call(renamePasskey, actor, { passkey_id, name: "Phone" });
    expect((await world.call(ownFactors, actor, {})).passkeys).toMatchObject([{ name: "Phone" }]);
    await world.call(removePasskey, actor, { passkey_id });
    expect(await refusalOf(enter(device.sign(await ask())))).toBe("passkey_refused");
    expect([await countOf(passkeys), await countOf(recoveryCodes)]).toEqual([0, 0]);
    await callWith(world, login, {}, { email: org.member.email, password });

    const { device: second } = await add(org.member);
    await removeUserOf(world, org.admin.actor, org.member.id);
    expect(await refusalOf(enter(second.sign(await ask())))).toBe("passkey_refused");
    expect(await countOf(passkeys)).toBe(0);
  });

  it("remains a second factor when the authenticator app is removed", async () => {
    await giveTotp(world, org.member);
    expect((await add(org.member)).recovery_codes).toEqual([]);
    await world.call(removeTotp, onDashboard(world, org.member), {});
    expect(await countOf(recoveryCodes)).toBe(10);
    const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, org.member.id));
    expect(row?.mfaEnabled).toBe(true);
  });
});

describe("adding a passkey", () => {
  it("is refused from another site, without verification, to another user, twice or too late", async () => {
    const actor = onDashboard(world, org.member);
    const register = async (lie: Lie) => newAuthenticator(origin).register(await challengeFor(org.member), lie);
    for (const lie of [{ origin: "https://evil.example" }, { rpId: "evil.example" }, { isVerified: false }]) {
      const call = world.call(addPasskey, actor, { ...(await register(lie)), name: "x" });
      expect(await refusalOf(call)).toBe("passkey_refused");
    }
    const mine = await register({});
    const asOther = world.call(addPasskey, onDashboard(world, org.other), { ...mine, name: "x" });
    expect(await refusalOf(asOther)).toBe("passkey_refused");
    const { device } = await add(org.member);
    expect(await refusalOf(add(org.other, device))).toBe("passkey_refused");
    const late = await register({});
    world.clock.advance(5 * minute);
    expect(await refusalOf(world.call(addPasskey, onDashboard(world, org.member), { ...late, name: "x" }))).toBe(
      "passkey_refused",
    );
    expect(await countOf(passkeys)).toBe(1);
  });

  it("is limited to ten per user", async () => {
    for (let i = 0; i < 10; i++) await add(org.member);
    expect(await refusalOf(challengeFor(org.member))).toBe("too_many_passkeys");
  });
});

it("challenges are limited for an address", async () => {
  const from = { ip: "198.51.100.9" };
  await callWith(world, passkeyChallenge, from, {});
  await world.runtime.db.write(async (tx) => {
    const all = limits.passkeys.challenges - 1;
    await tx.update(throttles).set({ count: all }).where(like(throttles.bucket, "%198.51.100.9%"));
  });
  await callWith(world, passkeyChallenge, from, {});
  expect(await refusalOf(callWith(world, passkeyChallenge, from, {}))).toBe("rate_limited");
});

it("a used challenge has an audit entry, an unused one has none: strangers cannot fill the audit log", async () => {
  const { device } = await add(org.member);
  const entries = () => world.runtime.db.read.$count(auditEntries);
  const before = await entries();
  const answer = device.sign(await ask());
  expect(await entries()).toBe(before);
  await enter(answer);
  expect(await entries()).toBe(before + 1);
  // Ten refusals a minute from one address have entries of their own; the rest are counted.
  world.clock.advance(minute);
  const stranger = newAuthenticator(origin);
  for (let i = 0; i < 12; i++) expect(await refusalOf(enter(stranger.sign(await ask())))).toBe("passkey_refused");
  expect(await entries()).toBe(before + 1 + 10);
});

it("passkeys are offered on https and on localhost, never at an IP address", () => {
  expect(relyingParty({ appUrl: "https://pay.example.com" })).toEqual({
    ...{ id: "pay.example.com", origin: "https://pay.example.com" },
  });
  expect(relyingParty({ appUrl: origin })).toEqual({ id: "localhost", origin });
  for (const appUrl of [
    "http://127.0.0.1:3000",
    "https://192.0.2.1",
    "https://[2001:db8::1]",
    "http://pay.example.com",
  ]) {
    expect(relyingParty({ appUrl })).toBeNull();
  }
});
