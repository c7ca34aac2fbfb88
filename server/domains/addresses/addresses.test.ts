// E-mail addresses: verified by a link, changed, and changed back. Every link works once, and only through its mail.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UserRole } from "@/db/schema/values";
import {
  auditChanges,
  emailLinks,
  idempotencyKeys,
  mails,
  recoveryCodes,
  sessions,
  tables,
  totpFactors,
  users,
} from "@/db/tables";
import { endAllSessions } from "@/server/domains/sessions/operations/end-all";
import { invalidateSession } from "@/server/domains/sessions/operations/invalidate";
import { login } from "@/server/domains/sessions/operations/login";
import { refreshSession } from "@/server/domains/sessions/operations/refresh";
import { requestReset } from "@/server/domains/sessions/operations/request-reset";
import { resetPassword, viewReset } from "@/server/domains/sessions/operations/reset-password";
import { createResetLink } from "@/server/domains/sessions/user-command";
import { listUsers } from "@/server/domains/users/operations/list";
import { CommandError } from "@/server/process/command-error";
import { giveTotp, onDashboard } from "@/test/factors";
import { runJobs } from "@/test/jobs";
import { type MailServer, startMailServer } from "@/test/mail-server";
import { linksTo, subjectsTo, tokenIn } from "@/test/mailed-links";
import { newEmail } from "@/test/people";
import { bearer, callWith, givePassword, password, signInAs, signInByCookie } from "@/test/signing-in";
import { openedWith, openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { verifyAddress } from "./command";
import { emailMailLink } from "./links";
import { changeEmail, sendVerification } from "./operations/request";
import { useEmailLink, viewEmailLink } from "./operations/use-link";
import { removeOldEmailLinks } from "./retention";

const hour = 3_600_000;
const day = 24 * hour;

let server: MailServer;
let world: World;
let org: TestOrganization;

beforeAll(async () => {
  server = await startMailServer();
  world = await openWorld({ SMTP_URL: server.url, MAIL_FROM: "mail@example.com" });
});
afterAll(async () => {
  await world.close();
  await server.close();
});
beforeEach(async () => {
  world.clock.advance(hour);
  server.arrived = [];
  org = await world.organization();
});

const rowOf = async ({ id }: { id: string }) => {
  const [row] = await world.runtime.db.read.select().from(users).where(eq(users.id, id));
  return row;
};
const unverified = async (role: UserRole = "member"): Promise<TestUser> => {
  const user = await world.user(org.id, role);
  await world.runtime.db.write(async (tx) => {
    await tx.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, user.id));
  });
  return user;
};
/** The token of the newest link in a mail to the address. */
const tokenTo = async (address: string): Promise<string> => {
  await runJobs(world);
  return tokenIn(linksTo(server, address).at(-1));
};
const view = (token: string) => callWith(world, viewEmailLink, {}, { token });
const use = (token: string) => callWith(world, useEmailLink, {}, { token });
const ask = (user: TestUser, email: string) => world.call(changeEmail, user.actor, { email });
const signIn = async ({ email }: TestUser) => (await callWith(world, login, {}, { email, password })).access_token;
/** Asks for the address and confirms it. */
const move = async (user: TestUser, email: string) => {
  await ask(user, email);
  await use(await tokenTo(email));
};
const outcomes = (calls: readonly Promise<unknown>[]) =>
  Promise.allSettled(calls).then((all) => all.filter(({ status }) => status === "fulfilled").length);

describe("a verification link", () => {
  it("verifies the address once; viewing it changes nothing; it is nowhere in the database", async () => {
    const user = await unverified();
    await world.call(sendVerification, user.actor, {});
    const token = await tokenTo(user.email);
    expect(token).toMatch(/^qtem_[0-9A-Za-z]{49}$/);
    for (const table of Object.values(tables)) {
      expect(JSON.stringify(await world.runtime.db.read.select().from(table)).includes(token.slice(5))).toBe(false);
    }
    for (let i = 0; i < 3; i++) {
      expect(await view(token)).toMatchObject({ state: "open", kind: "verify", email: user.email });
    }
    expect((await rowOf(user))?.emailVerifiedAt).toBeNull();
    expect(await use(token)).toEqual({ user_id: user.id, kind: "verify" });
    expect((await rowOf(user))?.emailVerifiedAt).toBe(world.clock.now());
    expect(await view(token)).toMatchObject({ state: "used", kind: "verify", email: null });
    expect(await refusalOf(use(token))).toBe("email_link_invalid");
    expect(await refusalOf(world.call(sendVerification, user.actor, {}))).toBe("email_verified");
  });

  it("removes the second factors of a user who is not signed in where it is used, and says so", async () => {
    const tokenOf = async (user: TestUser) => {
      await giveTotp(world, user);
      await world.call(sendVerification, user.actor, {});
      return tokenTo(user.email);
    };
    const [owner, stranger] = [await unverified(), await unverified()];
    const kept = { token: await tokenOf(owner), keeps_factors: true };
    await callWith(world, useEmailLink, {}, kept);
    expect((await rowOf(owner))?.mfaEnabled).toBe(true);
    await use(await tokenOf(stranger));
    expect((await rowOf(stranger))?.mfaEnabled).toBe(false);
    expect(await world.runtime.db.read.$count(totpFactors, eq(totpFactors.userId, stranger.id))).toBe(0);
    await runJobs(world);
    expect(subjectsTo(server, stranger.email)).toContain("Your second factors for Acme were changed");
    await giveTotp(world, org.member);
    await move(org.member, newEmail());
    expect((await rowOf(org.member))?.mfaEnabled).toBe(true);
  });

  it("works for a day, and only until a newer one is mailed", async () => {
    const user = await unverified();
    await world.call(sendVerification, user.actor, {});
    const first = await tokenTo(user.email);
    await world.call(sendVerification, user.actor, {});
    const second = await tokenTo(user.email);
    expect([(await view(first)).state, (await view(second)).state]).toEqual(["expired", "open"]);
    world.clock.advance(day);
    expect((await view(second)).state).toBe("expired");
    expect(await refusalOf(use(second))).toBe("email_link_invalid");
  });

  it("is mailed to a user's mailbox at most three times an hour, and never without a mail server", async () => {
    const user = await unverified();
    const calls = Array.from({ length: 5 }, () => world.call(sendVerification, user.actor, {}));
    expect(await outcomes(calls)).toBe(3);
    expect(await refusalOf(world.call(sendVerification, user.actor, {}))).toBe("rate_limited");
    const env = { ...world.runtime.env, mail: null };
    const silent = openedWith(world, { ...world.runtime, env });
    expect(await refusalOf(silent.call(sendVerification, user.actor, {}))).toBe("mail_server_missing");
  });

  it("is mailed to a mailbox ten times an hour, however many users and addresses name it, without an error", async () => {
    const [name = ""] = newEmail().split("@");
    const arrived = () => server.arrived.filter(({ to }) => to.some((address) => address.startsWith(name))).length;
    const strangers = await Promise.all(Array.from({ length: 12 }, () => unverified()));
    const calls = strangers.map((user, i) =>
      ask(user, i % 2 === 0 ? `${name}@example.com` : `${name}+${i}@example.com`),
    );
    expect(await outcomes(calls)).toBe(12);
    await runJobs(world);
    expect(arrived()).toBe(10);
    world.clock.advance(hour);
    const [first] = strangers;
    if (first) await ask(first, `${name}+more@example.com`);
    await runJobs(world);
    expect(arrived()).toBe(11);
  });

  it("can still be requested by the user after others asked for it", async () => {
    const user = await unverified();
    const other = await unverified();
    await outcomes(Array.from({ length: 4 }, () => ask(other, user.email)));
    const calls = Array.from({ length: 3 }, () => world.call(sendVerification, user.actor, {}));
    expect(await outcomes(calls)).toBe(3);
  });

  it("is refused when it is oversized, malformed, unknown or of another kind", async () => {
    expect(await refusalOf(use("x".repeat(201)))).toBe("invalid_request");
    for (const token of ["", "qtem_", `qtpw_${"0".repeat(49)}`, `qtem_${"0".repeat(49)}`]) {
      expect(await view(token)).toMatchObject({ state: "expired", kind: null, email: null });
      expect(await refusalOf(use(token))).toBe("email_link_invalid");
    }
  });
});

describe("a change of the address", () => {
  it("needs a fresh sign-in in the dashboard", async () => {
    const cookie = (await signInByCookie(world, org.member)).split("=")[1] ?? "";
    world.clock.advance(11 * 60_000);
    const call = callWith(world, changeEmail, { cookie }, { email: newEmail() });
    expect(await refusalOf(call)).toBe("reauthentication_required");
  });

  it("happens once the new address is confirmed; the old one gets a notice", async () => {
    await givePassword(world, org.member);
    const email = newEmail();
    expect(await ask(org.member, email)).toEqual({ user_id: org.member.id });
    const token = await tokenTo(email);
    expect((await rowOf(org.member))?.email).toBe(org.member.email);
    expect(await view(token)).toMatchObject({ state: "open", kind: "change", email });
    await use(token);
    expect(await rowOf(org.member)).toMatchObject({ email, emailKey: email, emailVerifiedAt: world.clock.now() });
    await callWith(world, login, {}, { email, password });
    const old = callWith(world, login, {}, { email: org.member.email, password });
    expect(await refusalOf(old)).toBe("invalid_credentials");
    await runJobs(world);
    expect(subjectsTo(server, org.member.email)).toEqual(["Your e-mail address for Acme was changed"]);
    const kept = await world.runtime.db.read
      .select()
      .from(auditChanges)
      .where(eq(auditChanges.subjectId, org.member.id));
    expect(kept).toMatchObject([{ field: "email", before: org.member.email, after: email }]);
  });

  it("answers alike for an address that somebody has, whose owner alone sees that it is taken", async () => {
    const free = newEmail();
    expect(await ask(org.member, org.other.email)).toEqual(await ask(org.member, free));
    const written = await world.runtime.db.read.select().from(mails).where(eq(mails.userId, org.member.id));
    expect(written.map(({ kind, status }) => [kind, status])).toEqual(Array(2).fill(["verify_email", "queued"]));
    await ask(org.member, org.other.email);
    const token = await tokenTo(org.other.email);
    expect(await view(token)).toMatchObject({ state: "taken", kind: "change", email: null });
    expect(await refusalOf(use(token))).toBe("email_link_invalid");
  });

  it("is void after a password change, a newer request, or a change back to the same address", async () => {
    const [first, second] = [newEmail(), newEmail()];
    await ask(org.member, first);
    const early = await tokenTo(first);
    await ask(org.member, second);
    const late = await tokenTo(second);
    expect([(await view(early)).state, (await view(late)).state]).toEqual(["expired", "open"]);
    await givePassword(world, org.member);
    expect((await view(late)).state).toBe("expired");
    expect(await refusalOf(ask(org.member, org.member.email.toUpperCase()))).toBe("invalid_request");
  });

  it("is void once all sessions have ended, and not after the end of another user's", async () => {
    const pendingLink = async (user: TestUser) => {
      const email = newEmail();
      await ask(user, email);
      return tokenTo(email);
    };
    const state = async (token: string) => (await view(token)).state;
    await givePassword(world, org.member);
    await signIn(org.member);
    const ownEnd = await pendingLink(org.member);
    const others = await pendingLink(org.other);
    const all = { user_id: org.member.id, keeps_current: true };
    await world.call(endAllSessions, onDashboard(world, org.member), all);
    expect([await state(ownEnd), await state(others)]).toEqual(["expired", "open"]);
    expect(await refusalOf(use(ownEnd))).toBe("email_link_invalid");

    await givePassword(world, org.other);
    const stolen = await pendingLink(org.other);
    const [first, second] = [await signIn(org.other), await signIn(org.other)];
    await callWith(world, invalidateSession, bearer(first), {});
    expect(await state(stolen)).toBe("open");
    await callWith(world, invalidateSession, bearer(second), { reason: "credentials_compromised" });
    expect(await state(stolen)).toBe("expired");
  });

  it.each([
    ["device_lost", "expired"],
    ["suspicious_activity", "expired"],
    ["credentials_compromised", "expired"],
    ["user_logout", "open"],
    ["other", "open"],
  ])("after a session of the user has ended as %s, the link is %s", async (reason, expected) => {
    await givePassword(world, org.member);
    const ended = await signIn(org.member);
    const email = newEmail();
    await ask(org.member, email);
    const token = await tokenTo(email);
    await callWith(world, invalidateSession, bearer(ended), { reason });
    expect((await view(token)).state).toBe(expected);
  });

  it("is void once a refresh token of the user was reused, or an admin has ended a session", async () => {
    const changing = async (end: () => Promise<unknown>) => {
      const email = newEmail();
      await ask(org.member, email);
      const token = await tokenTo(email);
      await end();
      return (await view(token)).state;
    };
    const refresh = (token: string) => refusalOf(callWith(world, refreshSession, bearer(token), {}));
    const reused = await signInAs(world, org.member);
    await callWith(world, refreshSession, bearer(reused.refresh_token), {});
    world.clock.advance(11_000);
    expect(await changing(() => refresh(reused.refresh_token))).toBe("expired");
    const { session_id } = await signInAs(world, org.member);
    expect(await changing(() => world.call(invalidateSession, org.admin.actor, { session_id }))).toBe("expired");
  });

  it("gives one address to one of two users who confirm it at the same time", async () => {
    const email = newEmail();
    await ask(org.member, email);
    const first = await tokenTo(email);
    await ask(org.other, email);
    const second = await tokenTo(email);
    expect(await outcomes([use(first), use(second), use(first), use(second)])).toBe(1);
    const holders = await world.runtime.db.read.$count(users, eq(users.emailKey, email));
    expect(holders).toBe(1);
  });

  it("mails no undo link to an address that was never verified", async () => {
    const user = await unverified();
    await move(user, newEmail());
    await runJobs(world);
    expect(subjectsTo(server, user.email)).toEqual([]);
    const made = await world.runtime.db.read.select().from(emailLinks).where(eq(emailLinks.userId, user.id));
    expect(made.map(({ kind }) => kind)).toEqual(["change"]);
    expect((await rowOf(user))?.emailVerifiedAt).toBe(world.clock.now());
  });
});

describe("the undo link", () => {
  /** Moves the member to a new address, and returns it with the token that the old one got. */
  const moved = async () => {
    const email = newEmail();
    await move(org.member, email);
    return { email, undo: await tokenTo(org.member.email) };
  };

  it("restores the old address for seven days, ends all sessions and tells the other one", async () => {
    const { email, undo } = await moved();
    await givePassword(world, org.member);
    await callWith(world, login, {}, { email, password });
    world.clock.advance(7 * day - 1);
    expect(await view(undo)).toMatchObject({ state: "open", kind: "undo", email: org.member.email });
    await use(undo);
    expect(await rowOf(org.member)).toMatchObject({ email: org.member.email, emailKey: org.member.email });
    const rows = await world.runtime.db.read.select().from(sessions).where(eq(sessions.userId, org.member.id));
    expect(rows.map(({ endReason }) => endReason)).toEqual(["email_change_undone"]);
    await runJobs(world);
    expect(subjectsTo(server, email)).toContain("Your e-mail address for Acme was restored");
    expect(await view(undo)).toMatchObject({ state: "used", kind: "undo", email: null });
  });

  it("removes the second factors that were set up since or shortly before, and keeps earlier ones", async () => {
    const { read } = world.runtime.db;
    const kept = async (user: TestUser) => [
      await read.$count(totpFactors, eq(totpFactors.userId, user.id)),
      await read.$count(recoveryCodes, eq(recoveryCodes.userId, user.id)),
      (await rowOf(user))?.mfaEnabled,
    ];
    const { undo } = await moved();
    await giveTotp(world, org.member);
    await use(undo);
    expect(await kept(org.member)).toEqual([0, 0, false]);
    await runJobs(world);
    expect(subjectsTo(server, org.member.email)).toContain("Your second factors for Acme were changed");

    const moveAfter = async (user: TestUser, wait: number) => {
      await giveTotp(world, user);
      world.clock.advance(wait);
      const email = newEmail();
      await ask(user, email);
      world.clock.advance(day - 1);
      await use(await tokenTo(email));
      await use(await tokenTo(user.email));
    };
    await moveAfter(org.other, day - hour);
    expect(await kept(org.other)).toEqual([0, 0, false]);
    await moveAfter(org.admin, day + 1);
    expect(await kept(org.admin)).toEqual([1, 10, true]);
  });

  it("expires after seven days", async () => {
    const { undo } = await moved();
    world.clock.advance(7 * day);
    expect((await view(undo)).state).toBe("expired");
    expect(await refusalOf(use(undo))).toBe("email_link_invalid");
  });

  it("of the first address undoes every later change, whose links then end", async () => {
    const { email, undo } = await moved();
    const third = newEmail();
    world.clock.advance(1);
    await move(org.member, third);
    const later = await tokenTo(email);
    await ask(org.member, newEmail());
    await use(undo);
    expect((await rowOf(org.member))?.email).toBe(org.member.email);
    expect((await view(later)).state).toBe("expired");
  });

  it("keeps the old address from others meanwhile, and gives it back to its user", async () => {
    const { undo } = await moved();
    await ask(org.other, org.member.email);
    const stolen = await tokenTo(org.member.email);
    expect((await view(stolen)).state).toBe("taken");
    await use(undo);
    expect((await rowOf(org.member))?.email).toBe(org.member.email);
  });

  it("races with a second change: one of the two wins, and the undo link keeps working", async () => {
    const { undo } = await moved();
    const third = newEmail();
    await ask(org.member, third);
    const next = await tokenTo(third);
    await Promise.allSettled([use(undo), use(next), use(undo), use(next)]);
    const { state } = await view(undo);
    if (state === "open") await use(undo);
    expect((await rowOf(org.member))?.email).toBe(org.member.email);
    expect((await view(next)).state).not.toBe("open");
  });
});

it("a mailed reset link gives the owner an address that a stranger signed up with and never verified", async () => {
  const user = await unverified();
  await givePassword(world, user);
  await giveTotp(world, user);
  await world.call(changeEmail, user.actor, { email: newEmail() });
  const next = "an entirely new passphrase";
  const enter = { email: user.email, password: next };
  const handedOver = (await createResetLink(world.runtime, user.email)).split("/").at(-1) ?? "";
  expect(await callWith(world, viewReset, {}, { token: handedOver })).toMatchObject({ needs_code: true });
  const refused = callWith(world, resetPassword, {}, { token: handedOver, new_password: next });
  expect(await refusalOf(refused)).toBe("mfa_required");
  expect((await rowOf(user))?.emailVerifiedAt).toBeNull();

  await callWith(world, requestReset, {}, { email: user.email });
  const token = await tokenTo(user.email);
  expect(await callWith(world, viewReset, {}, { token })).toMatchObject({ needs_code: false });
  await callWith(world, resetPassword, {}, { token, new_password: next });
  expect(await rowOf(user)).toMatchObject({ emailVerifiedAt: world.clock.now(), mfaEnabled: false, name: null });
  const byName = await world.call(listUsers, org.admin.actor, { q: `User ${user.id.slice(-4)}` });
  expect(byName.data).toEqual([]);
  await callWith(world, login, {}, enter);
  const pending = await world.runtime.db.read.select().from(emailLinks).where(eq(emailLinks.userId, user.id));
  for (const { hash } of pending) expect(await emailMailLink(world.runtime.db.read, world.runtime, hash)).toBeNull();
});

it("no address is stored with an Idempotency-Key", async () => {
  const user = await unverified();
  const key = { idempotencyKey: `address-${user.id}` };
  await world.call(sendVerification, user.actor, {}, key);
  await world.call(changeEmail, user.actor, { email: newEmail() }, { idempotencyKey: `other-${user.id}` });
  const stored = await world.runtime.db.read.select().from(idempotencyKeys);
  expect(stored.filter(({ id }) => id.includes(user.id))).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toContain("@");
});

it("the command line counts an address as verified, and reports an unknown one", async () => {
  const user = await unverified();
  await verifyAddress(world.runtime, user.email.toUpperCase());
  expect((await rowOf(user))?.emailVerifiedAt).toBe(world.clock.now());
  await expect(verifyAddress(world.runtime, "nobody@example.com")).rejects.toThrow(CommandError);
});

it("links are removed a month after they expired", async () => {
  await ask(org.member, newEmail());
  await runJobs(world);
  world.clock.advance(31 * day - 1);
  const ofMember = eq(emailLinks.userId, org.member.id);
  await removeOldEmailLinks(world.runtime, 500);
  expect(await world.runtime.db.read.$count(emailLinks, ofMember)).toBe(1);
  world.clock.advance(1);
  await removeOldEmailLinks(world.runtime, 500);
  expect(await world.runtime.db.read.$count(emailLinks, ofMember)).toBe(0);
});
