// A second factor that the organization requires: what users without one may do, and how the requirement changes.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MfaRequirement } from "@/db/schema/values";
import { auditEntries, events, mails, organizations } from "@/db/tables";
import { ownFactors } from "@/server/domains/factors/operations/own";
import { addPasskey, removePasskey, setUpPasskey } from "@/server/domains/factors/operations/passkeys";
import { removeTotp, setUpTotp } from "@/server/domains/factors/operations/totp";
import { relyingParty } from "@/server/domains/factors/relying-party";
import { updateOrganizationSettings } from "@/server/domains/onboarding/operations/organization-settings";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { listPaymentRequests as listPayments } from "@/server/domains/payments/operations/list";
import { invalidateSession } from "@/server/domains/sessions/operations/invalidate";
import { refreshSession } from "@/server/domains/sessions/operations/refresh";
import { removeLost } from "@/server/domains/sessions/operations/remove-lost-factors";
import { signIn } from "@/server/domains/sessions/operations/sign-in";
import { signOut } from "@/server/domains/sessions/operations/sign-out";
import { currentUser } from "@/server/domains/users/operations/current";
import type { Actor } from "@/server/kit/context";
import type { Operation } from "@/server/kit/operation";
import { operations } from "@/server/pipeline/operations";
import { perform } from "@/server/pipeline/perform";
import { newAuthenticator } from "@/test/authenticator";
import { giveTotp, onDashboard } from "@/test/factors";
import { apiKey } from "@/test/people";
import { bearer, callWith, cookieJar, givePassword, password, signInAs } from "@/test/signing-in";
import { callRequest, openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";

const refused = "mfa_enrollment_required";
let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  org = await world.organization();
});

const set = (requireMfa: MfaRequirement) =>
  world.runtime.db.write(async (tx) => {
    await tx.update(organizations).set({ requireMfa }).where(eq(organizations.id, org.id));
  });
const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "ok",
    () => refusalOf(call),
  );
const tokenOf = async (user: TestUser) => bearer((await signInAs(world, user)).access_token);
/** Signs in to the dashboard; the request carries the session's cookie. */
async function browserOf(user: TestUser) {
  await givePassword(world, user);
  const jar = cookieJar();
  await callWith(world, signIn, jar.request, { email: user.email, password });
  return { cookie: jar.value("quittance_session") };
}
async function givePasskey(user: TestUser): Promise<string> {
  const actor = onDashboard(world, user);
  const { options } = await world.call(setUpPasskey, actor, {});
  const answer = newAuthenticator(relyingParty(world.runtime.env)?.origin ?? "").register(options.challenge);
  await world.call(addPasskey, actor, { ...answer, name: "Laptop" });
  return (await world.call(ownFactors, actor, {})).passkeys[0]?.passkey_id ?? "";
}

describe("a user who lacks a required factor", () => {
  it("is refused everywhere, except to enroll and to sign out", async () => {
    await set("everyone");
    const request = callRequest(world.runtime, await tokenOf(org.admin));
    const open: string[] = [];
    for (const operation of Object.values(operations).flatMap((verbs): Operation[] => Object.values(verbs))) {
      if (operation.access.credential === "ignored") continue;
      // Whatever the input is, the refusal comes first.
      const outcome = await refusalOf(perform(operation, "no object", request, world.runtime));
      if (outcome !== refused) open.push(operation.id);
    }
    expect(open.sort()).toEqual([
      ...["factors.addPasskey", "factors.confirmTotp", "factors.own", "factors.removePasskey", "factors.removeTotp"],
      ...["factors.renewCodes", "factors.setUpPasskey", "factors.setUpTotp"],
      ...["me.get", "sessions.invalidate", "sessions.signOut", "users.current"],
    ]);
  });

  it("is refused from the next request on, in sessions that are open, until the factor is set up", async () => {
    const token = await tokenOf(org.member);
    const browser = await browserOf(org.member);
    const list = async () => [
      await outcomeOf(callWith(world, listPayments, token, {})),
      await outcomeOf(callWith(world, listPayments, browser, {})),
    ];
    expect(await list()).toEqual(["ok", "ok"]);
    await set("everyone");
    expect(await list()).toEqual([refused, refused]);
    expect(await callWith(world, currentUser, browser, {})).toMatchObject({ must_set_up_factor: true });
    await callWith(world, setUpTotp, browser, {});
    expect(await list()).toEqual([refused, refused]);
    await giveTotp(world, org.member);
    expect(await list()).toEqual(["ok", "ok"]);
    expect(await callWith(world, currentUser, browser, {})).toMatchObject({ must_set_up_factor: false });
  });

  it("can sign out and in, and exchange tokens, but end no session of anyone else", async () => {
    const other = await signInAs(world, org.other);
    await set("everyone");
    const pair = await signInAs(world, org.admin);
    const { access_token, refresh_token } = await callWith(world, refreshSession, bearer(pair.refresh_token), {});
    expect(refresh_token).not.toBe(pair.refresh_token);
    const end = (input: { session_id?: string; reason?: string }) =>
      callWith(world, invalidateSession, bearer(access_token), input);
    expect(await refusalOf(end({ session_id: other.session_id }))).toBe("insufficient_permissions");
    expect(await end({})).toMatchObject({ invalidated_session_id: pair.session_id });
    await callWith(world, signOut, await browserOf(org.admin), {});
  });

  it("is only one with a role that needs it: not a member if admins need it", async () => {
    await set("admins");
    const [member, admin] = [await tokenOf(org.member), await tokenOf(org.admin)];
    expect(await outcomeOf(callWith(world, listPayments, member, {}))).toBe("ok");
    expect(await outcomeOf(callWith(world, listPayments, admin, {}))).toBe(refused);
    const second = await world.user(org.id, "admin");
    await world.call(updateUser, second.actor, { user_id: org.member.id, role: "admin" });
    expect(await outcomeOf(callWith(world, listPayments, member, {}))).toBe(refused);
    await set("none");
    expect(await outcomeOf(callWith(world, listPayments, admin, {}))).toBe("ok");
  });

  it("is no user with a passkey: one is enough", async () => {
    await set("everyone");
    const token = await tokenOf(org.member);
    await givePasskey(org.member);
    expect(await outcomeOf(callWith(world, listPayments, token, {}))).toBe("ok");
    await world.call(removeLost, onDashboard(world, org.admin), { user_id: org.member.id });
    expect(await outcomeOf(callWith(world, listPayments, await tokenOf(org.member), {}))).toBe(refused);
  });

  it("is no API key, and no user of another organization", async () => {
    const key = await apiKey(world, org.id, ["payments:read"]);
    const foreign = await world.organization();
    await set("everyone");
    expect(await outcomeOf(callWith(world, listPayments, bearer(key.token), {}))).toBe("ok");
    expect(await outcomeOf(callWith(world, listPayments, await tokenOf(foreign.admin), {}))).toBe("ok");
  });
});

describe("the requirement", () => {
  const require = (require_mfa: MfaRequirement, actor: Actor = onDashboard(world, org.admin)) =>
    world.call(updateOrganizationSettings, actor, { require_mfa });

  it("is set by admins only, after a fresh sign-in", async () => {
    await giveTotp(world, org.admin);
    const stale = { ...onDashboard(world, org.admin), authenticatedAt: world.clock.now() - 600_001 } as Actor;
    expect(await refusalOf(require("everyone", stale))).toBe("reauthentication_required");
    expect(await refusalOf(require("none", stale))).toBe("reauthentication_required");
    expect(await refusalOf(require("everyone", onDashboard(world, org.member)))).toBe("insufficient_permissions");
    expect(await refusalOf(require("all" as never))).toBe("invalid_request");
    expect(await require("everyone")).toMatchObject({ require_mfa: "everyone" });
  });

  it("is met by the admin who sets it", async () => {
    for (const required of ["admins", "everyone"] as const) {
      expect(await refusalOf(require(required))).toBe("mfa_not_set_up");
    }
    expect(await require("none")).toMatchObject({ require_mfa: "none" });
    await givePasskey(org.admin);
    expect(await require("admins")).toMatchObject({ require_mfa: "admins" });
  });

  it("leaves an audit entry and an event when it changes, and tells the other admins", async () => {
    const second = await world.user(org.id, "admin");
    await giveTotp(world, org.admin);
    await require("admins");
    await require("admins");
    const { read: q } = world.runtime.db;
    const entries = await q.select().from(auditEntries).where(eq(auditEntries.targetId, org.id));
    expect(entries.map(({ detail }) => detail)).toContainEqual({
      ...{ fields: ["require_mfa"], require_mfa_before: "none", require_mfa: "admins" },
    });
    const [event] = await q.select().from(events).where(eq(events.objectId, org.id));
    expect(event).toMatchObject({ type: "organization.updated", data: { fields: ["require_mfa"] } });
    const told = await q.select().from(mails).where(eq(mails.organizationId, org.id));
    const notices = told.filter(({ subject }) => subject === "A new rule for second factors at Acme");
    expect(notices.map(({ userId }) => userId)).toEqual([second.id]);
  });

  it("keeps the last factor of the users whom it concerns, until an admin removes it as lost", async () => {
    const passkey = await givePasskey(org.member);
    await giveTotp(world, org.member);
    await giveTotp(world, org.admin);
    await set("everyone");
    const actor = onDashboard(world, org.member);
    await world.call(removeTotp, actor, {});
    expect(await refusalOf(world.call(removePasskey, actor, { passkey_id: passkey }))).toBe("last_factor");
    expect((await world.call(ownFactors, actor, {})).passkeys).toHaveLength(1);
    expect(await refusalOf(world.call(removeTotp, onDashboard(world, org.admin), {}))).toBe("last_factor");
    await set("admins");
    await world.call(removePasskey, actor, { passkey_id: passkey });
  });

  it("races with the removal of the last factor of the admin who sets it: only one succeeds", async () => {
    for (let round = 0; round < 3; round++) {
      await set("none");
      await giveTotp(world, org.admin);
      const browser = onDashboard(world, org.admin);
      const [required, removed] = await Promise.allSettled([
        require("everyone", browser),
        world.call(removeTotp, browser, {}),
      ]);
      expect([required.status, removed.status].sort()).toEqual(["fulfilled", "rejected"]);
      const { reason } = [required, removed].find(({ status }) => status === "rejected") as PromiseRejectedResult;
      expect(["mfa_not_set_up", "last_factor"]).toContain(reason.code);
      if (removed.status === "rejected") {
        await set("none");
        await world.call(removeTotp, browser, {});
      }
    }
  });
});
