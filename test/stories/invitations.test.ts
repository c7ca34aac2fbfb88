// Invitations: creating, listing, revoking and accepting them, and what ends them.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, events, idempotencyKeys, invitations, mails, users } from "@/db/tables";
import { removeOutdated } from "@/server/background/retention";
import { getAccount } from "@/server/domains/accounts/operations/get";
import { verifyAddress } from "@/server/domains/addresses/command";
import { invitationMailLink } from "@/server/domains/invitations/link";
import { createInvitation } from "@/server/domains/invitations/operations/create";
import { listInvitations } from "@/server/domains/invitations/operations/list";
import { resendInvitation } from "@/server/domains/invitations/operations/resend";
import { revokeInvitation } from "@/server/domains/invitations/operations/revoke";
import { viewInvitation } from "@/server/domains/invitations/operations/view";
import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { getUser } from "@/server/domains/onboarding/operations/get-user";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { resendMail } from "@/server/domains/outbox/operations/resend";
import { currentUser } from "@/server/domains/users/operations/current";
import type { Actor } from "@/server/kit/context";
import { dayMs, limits } from "@/server/kit/limits";
import { removeUserOf } from "@/test/closing";
import { anonymous, apiKey, callWith, newEmail, newPerson, password, signIn } from "@/test/people";
import { openedWith, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ SIGNUP: "closed" });
  foreign = await world.organization("Globex");
});
beforeEach(async () => {
  // Each test has the full daily number of invitations.
  org = await world.organization();
});
afterAll(() => world.close());

const db = () => world.runtime.db.read;
type Given = Partial<Parameters<typeof world.call<(typeof createInvitation)["input"], never>>[2]>;
const invite = (given: Record<string, unknown> = {}, actor: Actor = org.admin.actor, key?: string) =>
  world.call(
    createInvitation,
    actor,
    { email: newEmail(), role: "member", ...given } as Given & { email: string; role: "member" },
    key ? { idempotencyKey: key } : {},
  );
const tokenIn = (url: string | null) => new URL(url ?? "none:").pathname.split("/")[2] ?? "";
const mailTokenOf = async (id: string) => tokenIn((await invitationMailLink(db(), world.runtime, id)) ?? null);
const accept = (invite_token: string, given: object = {}) =>
  world.call(createUser, anonymous, { invite_token, password, ...given });
const statusOf = async (id: string, actor = org.admin.actor) =>
  (await world.call(listInvitations, actor, {})).data.find((each) => each.invitation_id === id)?.status;
const eventsOf = async (id: string) =>
  (await db().select().from(events).where(eq(events.objectId, id))).map(({ type }) => type);

describe("an invitation", () => {
  it("is mailed with one link, answered with another, and listed without either", async () => {
    const made = await invite({ name: "Grace", role: "operator", locale: "de" });
    expect(made).toMatchObject({ name: "Grace", role: "operator", status: "open", invited_by: org.admin.id });
    expect(made.expires_at).toBe(new Date(world.clock.now() + 7 * dayMs).toISOString());
    const [mail] = await db().select().from(mails).where(eq(mails.linkObjectId, made.invitation_id));
    expect(mail).toMatchObject({
      kind: "invitation",
      toAddress: made.email,
      status: "held",
      linkPurpose: "invitation",
    });
    expect(mail?.subject).toContain("Acme");
    const [shown, mailed] = [tokenIn(made.url), await mailTokenOf(made.invitation_id)];
    expect(shown).toMatch(/^qtiv_/);
    expect(mailed).not.toBe(shown);
    const { data } = await world.call(listInvitations, org.admin.actor, { status: ["open"] });
    expect(data).toEqual([{ ...made, url: null }]);
    const rows = JSON.stringify([await db().select().from(invitations), await db().select().from(mails)]);
    for (const token of [shown, mailed]) expect(rows).not.toContain(token);
    expect(await eventsOf(made.invitation_id)).toEqual(["invitation.created"]);
  });

  it("has the same link when it is replayed, and none of it is stored", async () => {
    const email = `replayed-${newEmail()}`;
    const made = await invite({ email }, org.admin.actor, "once");
    expect(await invite({ email }, org.admin.actor, "once")).toEqual(made);
    const keys = JSON.stringify(await db().select().from(idempotencyKeys));
    expect(keys).not.toMatch(/qtiv_|replayed-/);
    const revoke = () =>
      world.call(
        revokeInvitation,
        org.admin.actor,
        { invitation_id: made.invitation_id },
        { idempotencyKey: "revoked" },
      );
    const revoked = await revoke();
    expect(await revoke()).toEqual(revoked);
    expect(JSON.stringify(await db().select().from(idempotencyKeys))).not.toContain("replayed-");
    expect(await invite({ email }, org.admin.actor, "once")).toMatchObject({ url: null });
  });

  it("can be mailed again while it is open, by admins", async () => {
    const mailing = await openWorld({ SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "mail@example.com" });
    const { admin, member } = await mailing.organization();
    const silent = openedWith(mailing, { ...mailing.runtime, env: { ...mailing.runtime.env, mail: null } });
    const given = { email: newEmail(), role: "member" } as const;
    const { invitation_id } = await silent.call(createInvitation, admin.actor, given);
    const [{ id: mail_id } = { id: "" }] = await mailing.runtime.db.read.select().from(mails);
    const resend = (actor: Actor) => mailing.call(resendMail, actor, { mail_id });
    const resendInvited = () => mailing.call(resendInvitation, admin.actor, { invitation_id });
    const inSilence = silent.call(resendInvitation, admin.actor, { invitation_id });
    expect(await refusalOf(inSilence)).toBe("mail_not_resendable");
    await resendInvited();
    const read = async () => (await mailing.runtime.db.read.select().from(mails))[0];
    expect(await read()).toMatchObject({ id: mail_id, status: "queued" });
    expect(await refusalOf(resendInvited())).toBe("mail_not_resendable");
    await mailing.runtime.db.write((tx) => tx.update(mails).set({ status: "failed" }).then());
    expect(await refusalOf(resend(member.actor))).toBe("mail_not_found");
    expect(await resend(admin.actor)).toMatchObject({ kind: "invitation", to: given.email, status: "queued" });
    await mailing.call(revokeInvitation, admin.actor, { invitation_id });
    expect(await refusalOf(resend(admin.actor))).toBe("mail_not_resendable");
    expect(await refusalOf(resendInvited())).toBe("invitation_not_found");
    const late = await mailing.call(createInvitation, admin.actor, given);
    mailing.clock.advance(limits.invitationDays * dayMs);
    const tooLate = mailing.call(resendInvitation, admin.actor, { invitation_id: late.invitation_id });
    expect(await refusalOf(tooLate)).toBe("invitation_expired");
    await mailing.close();
  });

  it("is revoked by a second one to the same address, but not by one of another organization", async () => {
    const email = newEmail();
    const [first, elsewhere] = [await invite({ email }), await invite({ email }, foreign.admin.actor)];
    const second = await invite({ email: email.toUpperCase() });
    expect(await statusOf(first.invitation_id)).toBe("revoked");
    expect(await eventsOf(first.invitation_id)).toEqual(["invitation.created", "invitation.revoked"]);
    expect(await refusalOf(accept(tokenIn(first.url)))).toBe("invitation_not_found");
    expect(await statusOf(elsewhere.invitation_id, foreign.admin.actor)).toBe("open");
    expect(await statusOf(second.invitation_id)).toBe("open");
  });

  it("is revoked on demand, once, by its organization only", async () => {
    const { invitation_id, url } = await invite();
    const revoke = (actor: Actor) => world.call(revokeInvitation, actor, { invitation_id });
    expect(await refusalOf(revoke(foreign.admin.actor))).toBe("invitation_not_found");
    expect(await revoke(org.admin.actor)).toMatchObject({ status: "revoked", url: null });
    expect(await refusalOf(revoke(org.admin.actor))).toBe("invitation_not_found");
    expect(await refusalOf(accept(tokenIn(url)))).toBe("invitation_not_found");
    expect(await invitationMailLink(db(), world.runtime, invitation_id)).toBeNull();
  });

  it("opens nothing once its inviter has lost the right to invite, no matter who revoked it", async () => {
    const inviter = await newPerson(world, org.admin.actor, "admin");
    const { url } = await invite({}, inviter.actor);
    // Without what revokes invitations.
    await world.runtime.db.write((tx) =>
      tx.update(users).set({ role: "member" }).where(eq(users.id, inviter.userId)).then(),
    );
    expect(await refusalOf(accept(tokenIn(url)))).toBe("invitation_not_found");
  });

  it("ends with the role or the removal of the admin who sent it", async () => {
    const demoted = await newPerson(world, org.admin.actor, "admin");
    const removed = await newPerson(world, org.admin.actor, "admin");
    const [one, two, kept] = [await invite({}, demoted.actor), await invite({}, removed.actor), await invite()];
    const sentBy = async ({ userId: user_id }: { userId: string }) =>
      (await world.call(getUser, org.admin.actor, { user_id })).sent_invitations;
    expect([await sentBy(demoted), await sentBy(removed)]).toEqual([1, 1]);
    await world.call(updateUser, org.admin.actor, { user_id: demoted.userId, role: "operator" });
    expect(await sentBy(demoted)).toBe(0);
    await removeUserOf(world, org.admin.actor, removed.userId);
    const ended = [await statusOf(one.invitation_id), await statusOf(two.invitation_id)];
    expect([...ended, await statusOf(kept.invitation_id)]).toEqual(["revoked", "revoked", "open"]);
  });

  it("is revoked when a user with its address is added or removed, but not by a sign-up", async () => {
    const [created, joined] = [await invite(), await invite()];
    const give = (email: string) => world.call(createUser, org.admin.actor, { email, password });
    await give(created.email);
    expect(await statusOf(created.invitation_id)).toBe("revoked");
    const { user_id } = await world.call(createUser, anonymous, {
      ...{ invite_token: tokenIn(joined.url), password },
    });
    const late = await invite();
    await world.runtime.db.write(async (tx) => {
      const moved = { email: joined.email, emailKey: joined.email };
      await tx.update(invitations).set(moved).where(eq(invitations.id, late.invitation_id));
    });
    await removeUserOf(world, org.admin.actor, user_id);
    expect(await statusOf(late.invitation_id)).toBe("revoked");
    const open = openedWith(world, { ...world.runtime, env: { ...world.runtime.env, signup: "open" } });
    const kept = await invite();
    await open.call(createUser, anonymous, { email: kept.email, password });
    expect(await statusOf(kept.invitation_id)).toBe("open");
  });

  it("never outlives the removal of an inviter who sends it at the same time", async () => {
    for (let round = 0; round < 6; round++) {
      const inviter = await newPerson(world, org.admin.actor, "admin");
      const email = newEmail();
      const [made] = await Promise.allSettled([
        callWith(world, createInvitation, inviter.accessToken, { email, role: "member" }),
        removeUserOf(world, org.admin.actor, inviter.userId),
      ]);
      if (made.status === "rejected") expect(made.reason.code).toBe("unauthorized");
      else expect(await statusOf(made.value.invitation_id)).toBe("revoked");
    }
  });

  it("is counted per organization and day", async () => {
    for (let sent = 0; sent < limits.invitationsPerDay; sent++) await invite();
    expect(await refusalOf(invite())).toBe("rate_limited");
    await invite({}, foreign.admin.actor);
  });

  it("counts against the mails to its mailbox, together with resent mails, where mails are sent", async () => {
    const mailing = await openWorld({ SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "mail@example.com" });
    const { admin } = await mailing.organization();
    const others = await mailing.organization("Globex");
    const [name, host] = newEmail().split("@");
    const send = (tag: string, { actor } = admin) =>
      mailing.call(createInvitation, actor, { email: `${name}${tag}@${host}`, role: "member" });
    for (let sent = 1; sent < limits.mail.perRecipient; sent++) await send(`+${sent}`);
    await mailing.runtime.db.write((tx) => tx.update(mails).set({ status: "failed" }).then());
    const [{ id: mail_id } = { id: "" }] = await mailing.runtime.db.read.select().from(mails);
    await mailing.call(resendMail, admin.actor, { mail_id });
    const open = await mailing.runtime.db.read.$count(invitations);
    expect(await refusalOf(send(""))).toBe("rate_limited");
    expect(await mailing.runtime.db.read.$count(invitations)).toBe(open);
    await send("", others.admin);
    mailing.clock.advance(dayMs);
    await send("");
    const silent = openedWith(mailing, { ...mailing.runtime, env: { ...mailing.runtime.env, mail: null } });
    const again = { email: newEmail(), role: "member" } as const;
    for (let i = 0; i <= limits.mail.perRecipient; i++) await silent.call(createInvitation, admin.actor, again);
    await mailing.close();
  });

  it("is removed 90 days after it expired, with the address in its mail unless a user accepted it", async () => {
    const own = await openWorld();
    const { read, write } = own.runtime.db;
    const { admin } = await own.organization();
    const send = () => own.call(createInvitation, admin.actor, { email: newEmail(), role: "member" });
    const [made, accepted] = [await send(), await send()];
    await own.call(createUser, anonymous, { invite_token: tokenIn(accepted.url), password });
    const mailOf = async (id: string) => (await read.select().from(mails).where(eq(mails.linkObjectId, id)))[0];
    const lastError = `550 <${made.email}> unknown`;
    await write((tx) => tx.update(mails).set({ status: "queued", lastError }).then());
    own.clock.advance(limits.invitationDays * dayMs + limits.kept.invitationMs - 1);
    await removeOutdated(own.runtime);
    expect(await read.select().from(invitations)).toHaveLength(2);
    expect(await mailOf(made.invitation_id)).toMatchObject({ toAddress: made.email, status: "queued" });
    own.clock.advance(1);
    await removeOutdated(own.runtime);
    expect(await read.select().from(invitations)).toEqual([]);
    const erased = await mailOf(made.invitation_id);
    expect(erased).toMatchObject({ status: "held", lastError: "link_expired", text: null, html: null });
    expect(JSON.stringify(erased)).not.toContain(made.email);
    expect(await mailOf(accepted.invitation_id)).toMatchObject({ toAddress: accepted.email, status: "queued" });
    await own.close();
  });
});

describe("an address that somebody signed up with and nobody verified", () => {
  /** A user who has signed up with the address. */
  const signUp = (email: string) => {
    const open = openedWith(world, { ...world.runtime, env: { ...world.runtime.env, signup: "open" } });
    return open.call(createUser, anonymous, { email, password, name: "Mallory" });
  };
  /** A user as {@link signUp} leaves one, of this test's organization. */
  const squat = async (email = newEmail()) => {
    const user = await world.call(createUser, org.admin.actor, { email, password, name: "Mallory" });
    return { ...user, ...(await signIn(world, email)) };
  };
  const rowsOf = (email: string) => db().select().from(users).where(eq(users.emailKey, email));

  it("can be invited; accepting by the mailed link removes its user", async () => {
    const old = await squat();
    const made = await invite({ email: old.email, role: "operator" });
    expect(await refusalOf(accept(tokenIn(made.url)))).toBe("email_taken");
    const user = await accept(await mailTokenOf(made.invitation_id));
    expect(user).toMatchObject({ email: old.email, name: null, role: "operator", account_id: null });
    expect(await rowsOf(old.email)).toMatchObject([{ id: user.user_id, emailVerifiedAt: world.clock.now() }]);
    const [removed] = await db().select().from(users).where(eq(users.id, old.user_id));
    expect(removed).toMatchObject({ status: "removed", name: null, passwordHash: null });
    expect(await refusalOf(callWith(world, currentUser, old.accessToken, {}))).toBe("unauthorized");
    const { owner_user_id } = await world.call(getAccount, org.admin.actor, { account_id: old.account_id ?? "" });
    expect(owner_user_id).toBeNull();
    expect(await statusOf(made.invitation_id)).toBe("accepted");
    const trail = await db().select().from(auditEntries).where(eq(auditEntries.targetId, old.user_id));
    expect(trail).toContainEqual(
      expect.objectContaining({
        ...{ operation: "users.create", actorType: "system", organizationId: org.id },
        detail: expect.objectContaining({ orphaned_account_ids: [old.account_id] }),
      }),
    );
    expect(await eventsOf(old.user_id)).toContain("user.removed");
  });

  it("keeps its user if that is no member, is of another organization, or verified it meanwhile", async () => {
    const viewer = await world.call(createUser, org.admin.actor, { email: newEmail(), password, role: "viewer" });
    expect(await refusalOf(invite({ email: viewer.email }))).toBe("email_taken");
    const elsewhere = await world.call(createUser, foreign.admin.actor, { email: newEmail(), password });
    const across = await invite({ email: elsewhere.email });
    expect(await refusalOf(accept(await mailTokenOf(across.invitation_id)))).toBe("email_taken");
    const member = await squat();
    const made = await invite({ email: member.email });
    await verifyAddress(world.runtime, member.email);
    expect(await refusalOf(accept(await mailTokenOf(made.invitation_id)))).toBe("email_taken");
    expect(await rowsOf(member.email)).toMatchObject([{ id: member.user_id }]);
    expect(await refusalOf(invite({ email: member.email }))).toBe("email_taken");
  });

  it("has one user after concurrent acceptances, a sign-up and a verification", async () => {
    for (let round = 0; round < 4; round++) {
      const old = await squat();
      const made = await invite({ email: old.email });
      const token = await mailTokenOf(made.invitation_id);
      const [first, second, verified] = await Promise.allSettled([
        accept(token),
        accept(token),
        verifyAddress(world.runtime, old.email),
        signUp(old.email),
      ]);
      const accepted = [first, second].filter(({ status }) => status === "fulfilled");
      expect(accepted.length).toBeLessThanOrEqual(1);
      const [row, ...others] = await rowsOf(old.email);
      expect(others).toEqual([]);
      if (accepted.length === 1) expect(row).toMatchObject({ organizationId: org.id, name: null });
      else expect(verified.status).toBe("fulfilled");
      expect(row?.emailVerifiedAt).not.toBeNull();
    }
  });
});

describe("inviting is refused", () => {
  it("with email_taken only for a user of the same organization", async () => {
    expect(await refusalOf(invite({ email: org.member.email }))).toBe("email_taken");
    expect((await invite({ email: foreign.member.email })).status).toBe("open");
  });

  it("with reauthentication_required from an old sign-in in the dashboard, for operators and admins", async () => {
    const old = { ...org.admin.actor, sessionKind: "cookie", authenticatedAt: world.clock.now() - 600_001 } as Actor;
    for (const role of ["operator", "admin"]) {
      expect(await refusalOf(invite({ role }, old))).toBe("reauthentication_required");
    }
    for (const role of ["member", "viewer"]) expect((await invite({ role }, old)).status).toBe("open");
  });

  it("for API keys, except to invite members", async () => {
    const { actor } = await apiKey(world, org.id, ["users:write"]);
    expect(await invite({}, actor)).toMatchObject({ invited_by: null });
    expect(await refusalOf(invite({ role: "viewer" }, actor))).toBe("insufficient_permissions");
  });

  it("for API keys that would end one to a role that they cannot invite to", async () => {
    const { actor } = await apiKey(world, org.id, ["users:write"]);
    const [email, other] = [newEmail(), newEmail()];
    const { invitation_id: id } = await invite({ email, role: "admin" });
    const { invitation_id: member } = await invite({ email: other });
    const create = (email: string) => world.call(createUser, actor, { email, password });
    for (const call of [
      () => invite({ email }, actor),
      () => world.call(revokeInvitation, actor, { invitation_id: id }),
      () => create(email),
    ]) {
      expect(await refusalOf(call())).toBe("insufficient_permissions");
      expect(await statusOf(id)).toBe("open");
    }
    await create(other);
    expect(await statusOf(member)).toBe("revoked");
  });

  it("with an account for viewers and operators", async () => {
    const account = { account_type: "business", account_name: "None" };
    expect(await refusalOf(invite({ role: "viewer", account }))).toBe("invalid_request");
  });
});

describe("accepting", () => {
  it("creates the user with the role, name, language and account of the invitation", async () => {
    const account = { account_type: "business", account_name: "Works", preferences: { locale: "de" } };
    const made = await invite({ name: "Grace", account, locale: "de" });
    const user = await accept(tokenIn(made.url), { email: made.email.toUpperCase() });
    expect(user).toMatchObject({
      ...{ organization_id: org.id, email: made.email, name: "Grace", role: "member", locale: "de" },
      email_verified_at: null,
    });
    const own = await world.call(getAccount, org.admin.actor, { account_id: user.account_id ?? "" });
    expect(own).toMatchObject({ account_type: "business", account_name: "Works", email: made.email });
    await signIn(world, made.email);
    expect(await statusOf(made.invitation_id)).toBe("accepted");
    expect(await eventsOf(made.invitation_id)).toEqual(["invitation.created", "invitation.accepted"]);
    const trail = await db().select().from(auditEntries).where(eq(auditEntries.targetId, user.user_id));
    expect(trail[0]).toMatchObject({ actorId: user.user_id, detail: { invitation_id: made.invitation_id } });
  });

  it("verifies the address with the token from the mail only", async () => {
    const made = await invite({ role: "viewer" });
    const user = await accept(await mailTokenOf(made.invitation_id), { name: "Own name" });
    const now = new Date(world.clock.now()).toISOString();
    expect(user).toMatchObject({ role: "viewer", account_id: null, name: "Own name", email_verified_at: now });
  });

  it("works once: of many at the same time, all but one are refused", async () => {
    const made = await invite({ role: "admin" });
    const tokens = [tokenIn(made.url), await mailTokenOf(made.invitation_id)];
    const calls = Array.from({ length: 6 }, (_, i) => accept(tokens[i % 2] ?? ""));
    const results = await Promise.allSettled(calls);
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
    expect(refusals).toEqual(Array(5).fill("invitation_used"));
    expect(await db().select().from(users).where(eq(users.emailKey, made.email))).toHaveLength(1);
    const again = world.call(revokeInvitation, org.admin.actor, { invitation_id: made.invitation_id });
    expect(await refusalOf(again)).toBe("invitation_used");
  });

  it("never succeeds after the invitation was revoked at the same time", async () => {
    for (let round = 0; round < 6; round++) {
      const made = await invite();
      const [accepted, revoked] = await Promise.allSettled([
        accept(tokenIn(made.url)),
        world.call(revokeInvitation, org.admin.actor, { invitation_id: made.invitation_id }),
      ]);
      expect([accepted.status, revoked.status].sort()).toEqual(["fulfilled", "rejected"]);
    }
  });

  it("is refused once it has expired, for an unknown token, and for an address that has been taken", async () => {
    const late = await invite();
    const taken = await invite();
    await world.call(createUser, foreign.admin.actor, { email: taken.email, password });
    expect(await refusalOf(accept(tokenIn(taken.url)))).toBe("email_taken");
    expect(await refusalOf(accept("qtiv_unknown"))).toBe("invitation_not_found");
    expect(await refusalOf(accept(`${tokenIn(late.url)}x`))).toBe("invitation_not_found");
    expect(await refusalOf(accept(tokenIn(late.url), { password: "password123" }))).toBe("weak_password");
    world.clock.advance(7 * dayMs);
    expect(await refusalOf(accept(tokenIn(late.url)))).toBe("invitation_expired");
    expect(await world.call(viewInvitation, anonymous, { token: tokenIn(late.url) })).toEqual({
      ...{ state: "expired", open: null },
    });
  });

  it("is refused with fields that the invitation sets, with another address, and with a credential", async () => {
    const token = tokenIn((await invite()).url);
    for (const given of [{ role: "member" }, { organization_id: org.id }, { email: newEmail() }]) {
      expect(await refusalOf(accept(token, given))).toBe("invalid_request");
    }
    expect(await refusalOf(accept(token, { role: "admin" }))).toBe("insufficient_permissions");
    const signedIn = world.call(createUser, org.admin.actor, { invite_token: token, password });
    expect(await refusalOf(signedIn)).toBe("invalid_request");
    expect(await refusalOf(world.call(createUser, org.admin.actor, { password }))).toBe("invalid_request");
  });

  it("leaves no name and no address behind once the user is removed", async () => {
    const email = newEmail();
    await invite({ email, name: "Leaving" });
    const elsewhere = await invite({ email }, foreign.admin.actor);
    const made = await invite({ email: email.toUpperCase(), name: "Leaving" });
    const user = await accept(tokenIn(made.url));
    await removeUserOf(world, org.admin.actor, user.user_id);
    const rows = await db().select().from(invitations).where(eq(invitations.id, made.invitation_id));
    expect(rows).toEqual([]);
    const mailed = await db().select().from(mails).where(eq(mails.organizationId, org.id));
    expect(mailed.filter(({ kind }) => kind === "invitation")).toHaveLength(2);
    expect(new Set(mailed.map(({ toAddress }) => toAddress))).toEqual(new Set([`removed+${user.user_id}`]));
    const [kept] = await db().select().from(mails).where(eq(mails.linkObjectId, elsewhere.invitation_id));
    expect(kept).toMatchObject({ toAddress: email, userId: null });
  });
});
