// After a restore: all live sessions, links and invitations of every organization end, and each audit log says so.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditEntries, emailLinks, invitations, mails, passwordResets, sessions } from "@/db/tables";
import { changeEmail } from "@/server/domains/addresses/operations/request";
import { insertLink } from "@/server/domains/addresses/store";
import { createInvitation } from "@/server/domains/invitations/operations/create";
import { remindersOfOne } from "@/server/domains/payments/reminder-store";
import { createResetLink } from "@/server/domains/sessions/user-command";
import { pauseSubscription } from "@/server/domains/subscriptions/operations/change";
import { dayMs } from "@/server/kit/limits";
import { onDashboard } from "@/test/factors";
import { runJobs } from "@/test/jobs";
import { mailNotice } from "@/test/mails";
import { ask, card, goodCard, transactionsOf } from "@/test/payer";
import { newEmail } from "@/test/people";
import { moveClock } from "@/test/sandbox-clock";
import { signInAs } from "@/test/signing-in";
import { cyclesOf, readOne, subscribe } from "@/test/subscriber";
import { openWorld, type World } from "@/test/world";
import { recordRestore } from "./after-restore";

let world: World;
beforeAll(async () => {
  // Nothing listens there, so mails stay queued.
  world = await openWorld({ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "mail@example.com" });
});
afterAll(() => world.close());

it("ends all sessions and reset links, and records it for each organization", async () => {
  const { read } = world.runtime.db;
  const [first, second, quiet] = [await world.organization(), await world.organization(), await world.organization()];
  for (const user of [first.admin, first.member, second.member]) await signInAs(world, user);
  await createResetLink(world.runtime, first.other.email);
  const active = () => read.$count(sessions, eq(sessions.status, "active"));
  const entries = () => read.select().from(auditEntries).where(eq(auditEntries.operation, "database.restore"));

  expect(await recordRestore(world.runtime, { backup: "kept.db", keepSessions: true })).toBe(0);
  expect(await active()).toBe(3);
  expect(await read.$count(passwordResets)).toBe(1);
  expect(await entries()).toHaveLength(3);

  expect(await recordRestore(world.runtime, { backup: "b.db", keepSessions: false })).toBe(3);
  expect(await active()).toBe(0);
  expect(
    await read.$count(sessions, and(eq(sessions.status, "ended"), eq(sessions.endReason, "database_restored"))),
  ).toBe(3);
  expect(await read.$count(passwordResets)).toBe(0);
  const details = (await entries()).filter(({ detail }) => detail.backup === "b.db");
  expect(new Map(details.map(({ organizationId, detail }) => [organizationId, detail.sessions]))).toEqual(
    new Map([
      [first.id, 2],
      [second.id, 1],
      [quiet.id, 0],
    ]),
  );
});

it("ends sessions that seem to have expired, because the clock may be fast only for the moment", async () => {
  await signInAs(world, (await world.organization()).member);
  world.clock.advance(3_650 * dayMs);
  expect(await recordRestore(world.runtime, { backup: "c.db", keepSessions: false })).toBe(1);
  expect(await world.runtime.db.read.$count(sessions, eq(sessions.status, "active"))).toBe(0);
});

it("holds the mails that were queued, because they may have been sent since", async () => {
  const { read, write } = world.runtime.db;
  const [first, second] = [await world.organization(), await world.organization()];
  const rows = [
    await mailNotice(world, first.id),
    await mailNotice(world, second.id),
    await mailNotice(world, second.id),
  ];
  await write((tx) =>
    tx
      .update(mails)
      .set({ status: "sent" })
      .where(eq(mails.id, rows[2]?.id ?? ""))
      .then(),
  );
  await recordRestore(world.runtime, { backup: "d.db", keepSessions: true });
  const statuses = async () =>
    new Map((await read.select().from(mails)).map(({ id, status, lastError }) => [id, `${status} ${lastError}`]));
  expect(await statuses()).toEqual(new Map(rows.map(({ id }, i) => [id, i < 2 ? "queued null" : "sent null"])));
  await recordRestore(world.runtime, { backup: "e.db", keepSessions: false });
  await runJobs(world);
  expect(await statuses()).toEqual(
    new Map(rows.map(({ id }, i) => [id, i < 2 ? "held database_restored" : "sent null"])),
  );
  const entries = await read.select().from(auditEntries).where(eq(auditEntries.operation, "database.restore"));
  const held = entries.filter(({ detail }) => detail.backup === "e.db").map(({ detail }) => detail.held_mails);
  expect(held.sort()).toEqual([0, 0, 0, 0, 1, 1].slice(-held.length));
});

it("revokes open invitations and voids links that verify or change an address, but no undo link", async () => {
  const { read, write } = world.runtime.db;
  const org = await world.organization();
  const actor = onDashboard(world, org.member);
  const made = await world.call(createInvitation, org.admin.actor, { email: newEmail(), role: "member" });
  await world.call(changeEmail, actor, { email: newEmail() });
  const [change] = await read.select().from(emailLinks).where(eq(emailLinks.userId, org.member.id));
  if (!change) throw new Error("There is no link.");
  await write((tx) => insertLink(tx, { ...change, hash: "another", kind: "undo" }));
  const kinds = async () =>
    (await read.select().from(emailLinks).where(eq(emailLinks.userId, org.member.id))).map(({ kind }) => kind).sort();
  const reason = async () =>
    (await read.select().from(invitations).where(eq(invitations.id, made.invitation_id)))[0]?.revokeReason;

  await recordRestore(world.runtime, { backup: "f.db", keepSessions: true });
  expect([await kinds(), await reason()]).toEqual([["change", "undo"], null]);
  await recordRestore(world.runtime, { backup: "g.db", keepSessions: false });
  expect([await kinds(), await reason()]).toEqual([["undo"], "database_restored"]);
});

it("skips reminders that are due, because they may have been sent since, and leaves later ones", async () => {
  const { actor } = (await world.organization()).member;
  const fields = { customer: { email: newEmail() }, reminders: { offsets_days: [-20, -5] } };
  const { payment } = await ask(world, actor, fields);
  world.clock.advance(12 * dayMs);
  const reasons = async () => (await remindersOfOne(world.runtime.db.read, payment.payment_id)).map(reasonOf);
  const reasonOf = ({ skippedReason }: { skippedReason: string | null }) => skippedReason;
  await recordRestore(world.runtime, { backup: "kept.db", keepSessions: true });
  expect(await reasons()).toEqual([null, null]);
  await recordRestore(world.runtime, { backup: "e.db", keepSessions: false });
  expect(await reasons()).toEqual(["database_restored", null]);
});

it("plans reminders that it skips again for later installments", async () => {
  const { actor } = (await world.organization()).member;
  const dates = [5, 35].map((days) => world.clock.now() + days * dayMs);
  const installments = dates.map((at) => ({ amount: 600, due_at: new Date(at).toISOString() }));
  const fields = { amount: 1200, installments, customer: { email: newEmail() }, reminders: { offsets_days: [-3, 40] } };
  const { payment } = await ask(world, actor, { ...fields, expires_at: null });
  world.clock.advance(4 * dayMs);
  await recordRestore(world.runtime, { backup: "e.db", keepSessions: false });
  const rows = await remindersOfOne(world.runtime.db.read, payment.payment_id);
  expect(rows).toMatchObject([
    { offsetDays: -3, dueAt: dates[1], skippedReason: null, sentAt: null },
    { offsetDays: 40, dueAt: dates[0], skippedReason: null },
  ]);
});

it("skips the reminders that are due by a sandbox clock that was moved", async () => {
  const { admin, member } = await world.organization();
  const fields = { customer: { email: newEmail() }, reminders: { offsets_days: [-20, -5] } };
  await moveClock(world, admin.actor, "P30D");
  const { payment } = await ask(world, member.actor, fields);
  world.clock.advance(12 * dayMs);
  await recordRestore(world.runtime, { backup: "f.db", keepSessions: false });
  const rows = await remindersOfOne(world.runtime.db.read, payment.payment_id);
  expect(rows.map(({ skippedReason }) => skippedReason)).toEqual(["database_restored", null]);
});

it("pauses subscriptions whose next charge is due, because they may have been charged since", async () => {
  const { actor } = (await world.organization()).member;
  // The clock of this world is years ahead.
  const method = { ...goodCard, expiry: "12/50" };
  const every = (interval_count: number) => ({ subscription: { interval: "day" as const, interval_count } });
  const first = await subscribe(world, actor, every(1), method);
  const second = await subscribe(world, actor, every(20), method);
  world.clock.advance(12 * dayMs);
  await recordRestore(world.runtime, { backup: "kept.db", keepSessions: true });
  expect(await readOne(world, actor, first.id)).toMatchObject({ status: "active" });
  await recordRestore(world.runtime, { backup: "h.db", keepSessions: false });
  expect(await readOne(world, actor, first.id)).toMatchObject({ status: "paused" });
  expect(await readOne(world, actor, second.id)).toMatchObject({ status: "active" });
  await runJobs(world);
  expect(await cyclesOf(world, first.id)).toHaveLength(1);
});

it("leaves paused what would be charged after a pause that is over", async () => {
  const { actor } = (await world.organization()).member;
  const method = { ...goodCard, expiry: "12/50" };
  const daily = { subscription: { interval: "day" as const, interval_count: 10 } };
  const resuming = await subscribe(world, actor, daily, method);
  const due = await subscribe(world, actor, daily, method);
  const resume_at = new Date(world.clock.now() + 9 * dayMs).toISOString();
  await world.call(pauseSubscription, actor, { subscription_id: resuming.id, resume_at });
  world.clock.advance(10 * dayMs + 1000);
  await world.call(pauseSubscription, actor, { subscription_id: due.id });
  await recordRestore(world.runtime, { backup: "i.db", keepSessions: false });
  await runJobs(world);
  for (const { id } of [resuming, due]) {
    expect(await readOne(world, actor, id)).toMatchObject({ status: "paused", resume_at: null, cycles_done: 1 });
  }
});

it("pauses a subscription whose renewal was not paid, because its page may have been paid since", async () => {
  const { actor } = (await world.organization()).member;
  const declined = { ...card("4000000000000341"), expiry: "12/50" };
  const { id } = await subscribe(world, actor, { subscription: { interval: "day", interval_count: 30 } }, declined);
  await runJobs(world);
  world.clock.advance(30 * dayMs + 1000);
  await runJobs(world);
  expect(await readOne(world, actor, id)).toMatchObject({ status: "past_due" });
  await recordRestore(world.runtime, { backup: "j.db", keepSessions: false });
  const { latest_payment_id } = await readOne(world, actor, id);
  world.clock.advance(2 * dayMs);
  await runJobs(world);
  expect(await readOne(world, actor, id)).toMatchObject({ status: "paused" });
  expect(await transactionsOf(world, latest_payment_id)).toHaveLength(1);
});
