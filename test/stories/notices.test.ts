// Security notices: who gets which after what, and that a failed notice does not stop the action that it reports.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { mails, users } from "@/db/tables";
import { createApiKey } from "@/server/domains/api-keys/operations/create";
import { rotateApiKey } from "@/server/domains/api-keys/operations/rotate";
import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { changePassword } from "@/server/domains/sessions/operations/change-password";
import { login } from "@/server/domains/sessions/operations/login";
import { refreshSession } from "@/server/domains/sessions/operations/refresh";
import { signIn } from "@/server/domains/sessions/operations/sign-in";
import { readUser } from "@/server/domains/users/store";
import { bucketOf, reserve } from "@/server/fairness/throttle";
import { limits } from "@/server/kit/limits";
import { removeUserOf } from "@/test/closing";
import { apiKey, newEmail } from "@/test/people";
import { bearer, callWith, cookieJar, givePassword, password, signInAs } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance(3_600_000);
  org = await world.organization();
});

/** The subjects of the user's notices. */
const noticesOf = async ({ id }: Pick<TestUser, "id">): Promise<string[]> => {
  const rows = await world.runtime.db.read.select().from(mails).where(eq(mails.userId, id));
  return rows.filter(({ kind }) => kind === "security_notice").map(({ subject }) => subject);
};
const enter = (user: TestUser, request: Parameters<typeof callWith>[2] = {}, more: { device_id?: string } = {}) =>
  callWith(world, login, request, { email: user.email, password, ...more });

it("reports a sign-in from a new device, by device and address block (API) or by cookie (dashboard)", async () => {
  await givePassword(world, org.member);
  await enter(org.member);
  await enter(org.member);
  expect(await noticesOf(org.member)).toEqual([]);
  await enter(org.member, { ip: "198.51.100.9", userAgent: "curl/8" });
  await enter(org.member, { ip: "198.51.100.9" }, { device_id: "phone" });
  await enter(org.member, { ip: "198.51.100.9" }, { device_id: "phone" });
  expect(await noticesOf(org.member)).toHaveLength(2);
  const [row] = await world.runtime.db.read.select().from(mails).where(eq(mails.userId, org.member.id));
  const text = row?.text?.replaceAll("\u2060", "");
  expect(text).toContain("IP address: 198.51.100.9");
  expect(text).toContain("Device: curl/8");

  const jar = cookieJar();
  const input = { email: org.member.email, password };
  await callWith(world, signIn, jar.request, input);
  expect(await noticesOf(org.member)).toHaveLength(3);
  await callWith(world, signIn, { device: jar.value("quittance_device") }, input);
  expect(await noticesOf(org.member)).toEqual(Array(3).fill("New sign-in to Acme"));
});

it("are not mailed to an address that was never verified", async () => {
  await givePassword(world, org.member);
  await world.runtime.db.write((tx) =>
    tx.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, org.member.id)).then(),
  );
  await enter(org.member, {}, { device_id: "first" });
  await enter(org.member, {}, { device_id: "second" });
  expect(await noticesOf(org.member)).toEqual([]);
});

it("are limited per user and hour, whatever they report", async () => {
  await world.runtime.db.write(async (tx) => {
    const user = await readUser(tx, org.member.id);
    const bucket = { bucket: bucketOf("notice", org.member.id), limit: 1_000, windowMs: 3_600_000 };
    for (let i = 0; i < limits.mail.noticesPerHour; i++) await reserve(tx, world.clock.now(), [bucket]);
    expect(user?.emailVerifiedAt).not.toBeNull();
  });
  await givePassword(world, org.member);
  await enter(org.member, {}, { device_id: "first" });
  await enter(org.member, {}, { device_id: "second" });
  expect(await noticesOf(org.member)).toEqual([]);
});

it("about the organization, however many, hold back none about the admin's own", async () => {
  await world.runtime.db.write(async (tx) => {
    const bucket = { bucket: bucketOf("notice_admin", org.admin.id), limit: 1_000, windowMs: 3_600_000 };
    for (let i = 0; i < limits.mail.noticesPerHour; i++) await reserve(tx, world.clock.now(), [bucket]);
  });
  await world.call(createApiKey, org.admin.actor, { name: "Shop", scopes: ["payments:read"] });
  expect(await noticesOf(org.admin)).toEqual([]);
  await givePassword(world, org.admin);
  await enter(org.admin, {}, { device_id: "first" });
  await enter(org.admin, {}, { device_id: "second" });
  expect(await noticesOf(org.admin)).toEqual(["New sign-in to Acme"]);
});

it("reports a session that is refreshed on another device, at most ten times an hour", async () => {
  let { refresh_token: token } = await signInAs(world, org.member, { device_id: "phone" });
  const refresh = async (body: { device_id?: string; rotate_refresh_token?: boolean }) => {
    token = (await callWith(world, refreshSession, bearer(token), body)).refresh_token;
  };
  await refresh({ device_id: "phone" });
  await refresh({});
  expect(await noticesOf(org.member)).toEqual([]);
  await refresh({ device_id: "laptop" });
  await refresh({ device_id: "laptop", rotate_refresh_token: false });
  expect(await noticesOf(org.member)).toEqual(Array(2).fill("A session at Acme is being used on another device"));
  for (let i = 0; i < 10; i++) await refresh({ device_id: `device ${i}` });
  expect(await noticesOf(org.member)).toHaveLength(10);
});

it("sends at most ten notices of new devices an hour, and lets every sign-in through", async () => {
  await givePassword(world, org.member);
  for (let i = 0; i < 13; i++) await enter(org.member, {}, { device_id: `device ${i}` });
  expect(await noticesOf(org.member)).toHaveLength(10);
});

it("reports a changed password and a reused refresh token", async () => {
  const first = await signInAs(world, org.member);
  const change = { user_id: org.member.id, current_password: password, new_password: "an entirely new passphrase" };
  await callWith(world, changePassword, bearer(first.access_token), change);
  expect(await noticesOf(org.member)).toEqual(["Your password for Acme was changed"]);

  const { refresh_token } = await signInAs(world, org.other);
  await callWith(world, refreshSession, bearer(refresh_token), {});
  world.clock.advance(60_000);
  expect(await refusalOf(callWith(world, refreshSession, bearer(refresh_token), {}))).toBe("refresh_token_invalid");
  expect(await noticesOf(org.other)).toEqual(["A session at Acme was ended"]);
});

it("tells the admins about a new API key, and all but the new one about a new admin", async () => {
  const second = await world.user(org.id, "admin");
  const key = await world.call(createApiKey, org.admin.actor, { name: "Shop", scopes: ["payments:read"] });
  expect(await noticesOf(org.admin)).toEqual(["New API key for Acme"]);
  expect(await noticesOf(second)).toEqual(["New API key for Acme"]);
  await world.call(rotateApiKey, org.admin.actor, { api_key_id: key.api_key_id });
  expect((await noticesOf(second)).sort()).toEqual(["New API key for Acme", "New secret of an API key for Acme"]);

  await world.call(updateUser, org.admin.actor, { user_id: org.member.id, role: "admin" });
  const added = { email: newEmail(), password: "an entirely new passphrase", role: "admin" } as const;
  const { user_id } = await world.call(createUser, org.admin.actor, added);
  expect(await noticesOf(org.admin)).toHaveLength(4);
  expect(await noticesOf(org.member)).toEqual(["New admin of Acme"]);
  expect(await noticesOf({ id: user_id })).toEqual([]);
  expect(await noticesOf(org.other)).toEqual([]);
});

it("tells the admins and the user that the user is no longer an admin", async () => {
  const former = await world.user(org.id, "admin");
  const second = await world.user(org.id, "admin");
  const change = (role: "operator" | "viewer") => world.call(updateUser, org.admin.actor, { user_id: former.id, role });
  await change("operator");
  await change("viewer");
  expect(await noticesOf(former)).toEqual(["You are no longer an admin of Acme"]);
  for (const admin of [org.admin, second])
    expect(await noticesOf(admin)).toEqual(["An admin of Acme has been given another role"]);
});

it("tells the other admins that an admin was removed, and nobody about a member", async () => {
  const key = await apiKey(world, org.id, ["users:write"]);
  const [second, third] = [await world.user(org.id, "admin"), await world.user(org.id, "admin")];
  const before = await readUser(world.runtime.db.read, second.id);
  await removeUserOf(world, key.actor, org.member.id);
  await removeUserOf(world, third.actor, second.id);
  const removed = "An admin of Acme was removed";
  expect(await noticesOf(org.admin)).toEqual(["New API key for Acme", removed]);
  expect(await noticesOf(third)).toEqual([removed]);
  expect(await noticesOf(second)).toEqual([]);
  const [row] = await world.runtime.db.read.select().from(mails).where(eq(mails.userId, third.id));
  expect(row?.text?.replaceAll("\u2060", "")).toContain(`Name: ${before?.name}`);
  await removeUserOf(world, third.actor, third.id);
  expect(await noticesOf(org.admin)).toEqual(["New API key for Acme", removed, removed]);
});

it("stops no action: a user whose address no mail can reach just gets no notice", async () => {
  const { access_token } = await signInAs(world, org.member);
  const broken = { email: "not an address", emailKey: "not an address" };
  await world.runtime.db.write(
    async (tx) => void (await tx.update(users).set(broken).where(eq(users.id, org.member.id))),
  );
  const change = { user_id: org.member.id, current_password: password, new_password: "an entirely new passphrase" };
  expect(await callWith(world, changePassword, bearer(access_token), change)).toMatchObject({ revoked_sessions: 0 });
  expect(await noticesOf(org.member)).toEqual([]);
});
