// Reminders that do not go at their time: beyond a limit on mails, at night, by the clock of an account; and what they say.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { mails, organizations, payments } from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { updateOrganizationSettings } from "@/server/domains/onboarding/operations/organization-settings";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import { instantOf } from "@/server/kit/local-time";
import { iso } from "@/server/process/clock";
import { pass, runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { ask, payPart, type RequestFields } from "@/test/payer";
import { newEmail } from "@/test/people";
import { moveClock } from "@/test/sandbox-clock";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { getPayment } from "./operations/get";
import { markPaid } from "./operations/mark-paid";
import { remindPayment } from "./operations/remind";
import { updatePaymentRequest } from "./operations/update";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  // Noon in UTC, the time zone of the accounts here.
  world.clock.advance(dayMs + dayMs / 2 - (world.clock.now() % dayMs));
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const day = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString().slice(0, 10);

/** An invoice that is due at the end of the day in ten days. */
async function invoice(offsets_days: number[], fields: RequestFields = {}): Promise<string> {
  const given = {
    type: "invoice",
    due_at: day(10),
    customer: { email: newEmail() },
    reminders: { offsets_days },
  } as const;
  return (await ask(world, acme.member.actor, { ...given, ...fields })).payment.payment_id;
}

const remindersOf = async (payment_id: string) =>
  (await world.call(getPayment, acme.member.actor, { payment_id })).reminders ?? [];
const statesOf = async (id: string) =>
  (await remindersOf(id)).map((one) => one.skipped_reason ?? (one.sent_at === null ? "planned" : "sent"));
const mailsOf = (paymentId: string) =>
  world.runtime.db.read
    .select()
    .from(mails)
    .where(and(eq(mails.paymentId, paymentId), eq(mails.kind, "payment_reminder")));
const waitsSince = async (id: string) =>
  (await world.runtime.db.read.select().from(payments).where(eq(payments.id, id)))[0]?.reminderWaitsSince;
const goLive = () =>
  world.runtime.db.write((tx) =>
    tx.update(organizations).set({ mode: "live" }).where(eq(organizations.id, acme.id)).then(),
  );

it.each(["sandbox, whose clock is moved", "live"])(
  "eight invoices to one customer are all reminded of, those beyond the limit on the next day: %s",
  async (mode) => {
    if (mode === "live") await goLive();
    const advance = async (days: number) => {
      if (mode === "live") return pass(world, days * dayMs);
      await moveClock(world, acme.admin.actor, `P${days}D`);
      await runJobs(world);
    };
    const customer = { email: newEmail() };
    const ids: string[] = [];
    for (let i = 0; i < 8; i++) ids.push(await invoice([-3], { customer }));
    await advance(7);
    const states = await Promise.all(ids.map(statesOf));
    expect(states.flat().filter((state) => state === "sent")).toHaveLength(limits.mail.perRecipient);
    const waiting = ids.filter((_, i) => states[i]?.[0] === "planned");
    expect(waiting).toHaveLength(3);
    for (const id of waiting) {
      const [reminder] = await remindersOf(id);
      const until = Date.parse(reminder?.waiting_until ?? "") - Date.parse(reminder?.planned_at ?? "");
      expect(until).toBeGreaterThanOrEqual(dayMs);
      expect(until).toBeLessThan(dayMs + 4 * hourMs);
      expect(await waitsSince(id)).toBe(Date.parse(reminder?.planned_at ?? ""));
      expect(await mailsOf(id)).toEqual([]);
    }
    await advance(2);
    for (const id of ids) {
      expect(await statesOf(id)).toEqual(["sent"]);
      expect(await mailsOf(id)).toHaveLength(1);
      expect(await waitsSince(id)).toBeNull();
      expect((await remindersOf(id))[0]?.waiting_until).toBeNull();
    }
  },
);

it("waits if people have sent as many mails as a request may have", async () => {
  await goLive();
  const id = await invoice([-3]);
  await pass(world, 6.5 * dayMs);
  for (let i = 0; i < limits.mail.perRequest; i++)
    await world.call(remindPayment, acme.member.actor, { payment_id: id });
  await pass(world, 0.5 * dayMs);
  expect(await statesOf(id)).toEqual(["planned"]);
  await pass(world, dayMs);
  expect(await statesOf(id)).toEqual(["sent"]);
});

it("goes in the morning if the worker comes at night", async () => {
  const id = await invoice([-3]);
  world.clock.advance(7.5 * dayMs);
  await runJobs(world);
  expect(await remindersOf(id)).toMatchObject([{ sent_at: null, waiting_until: `${day(0)}T09:00:00.000Z` }]);
  await pass(world, 8 * hourMs);
  expect(await statesOf(id)).toEqual(["planned"]);
  await pass(world, 2 * hourMs);
  expect(await statesOf(id)).toEqual(["sent"]);
});

it("is dropped if it is paid while it waits, and follows another due date", async () => {
  const [paid, moved] = [await invoice([-3]), await invoice([-3])];
  world.clock.advance(7.5 * dayMs);
  await runJobs(world);
  expect(await waitsSince(paid)).not.toBeNull();
  await world.call(markPaid, acme.member.actor, { payment_id: paid, method: "cash", reason: "At the counter" });
  await world.call(updatePaymentRequest, acme.member.actor, { payment_id: moved, due_at: day(9) });
  expect(await statesOf(paid)).toEqual(["payment_already_paid"]);
  expect(await remindersOf(moved)).toMatchObject([{ planned_at: `${day(6)}T09:00:00.000Z`, waiting_until: null }]);
  for (const id of [paid, moved]) expect(await waitsSince(id)).toBeNull();
  await pass(world, 2 * dayMs);
  for (const id of [paid, moved]) expect(await mailsOf(id)).toEqual([]);
});

it("goes at the hour that the account sets, in its time zone", async () => {
  const preferences = { timezone: "America/Los_Angeles", reminder_hour: 7 };
  await world.call(updateAccount, acme.member.actor, { account_id: acme.member.accountId, preferences });
  const id = await invoice([-1], { due_at: "2099-03-09" });
  // The clocks go forward on 8 March.
  expect((await remindersOf(id))[0]?.planned_at).toBe("2099-03-08T14:00:00.000Z");
});

it("says that it is due today, or overdue", async () => {
  const id = await invoice([-1, 0, 7]);
  for (const days of [9, 1, 7]) await pass(world, days * dayMs);
  const [before, today, after] = (await mailsOf(id)).sort((a, b) => a.createdAt - b.createdAt);
  expect(before?.subject).toContain("Reminder:");
  expect(today?.subject).toContain("Due today:");
  expect(today?.text).toContain("which is due today");
  expect(after?.subject).toContain("Overdue:");
  expect(after?.text).toContain("is overdue");
  expect(after?.text).toContain("Was due:");
  expect(after?.text).not.toContain("Pay by");
});

/** A request in three installments, due in 5, 35 and 65 days, with a reminder three days before each. */
const inParts = (): RequestFields => ({
  ...{ due_at: undefined, amount: 1000 },
  installments: [5, 35, 65].map((days, i) => ({ amount: i === 0 ? 400 : 300, due_at: day(days) })),
});

it("still goes for an installment that is due next once the one before is paid", async () => {
  const given: RequestFields = { type: "invoice", customer: { email: newEmail() }, reminders: { offsets_days: [-3] } };
  const { payment, token } = await ask(world, acme.member.actor, { ...given, ...inParts() });
  const id = payment.payment_id;
  for (let days = 0; days < 31; days++) await pass(world, dayMs);
  expect(await mailsOf(id)).toHaveLength(1);
  world.clock.advance(1.4 * dayMs);
  await runJobs(world);
  expect(await waitsSince(id)).not.toBeNull();
  await payPart(world, token, "next");
  expect(await waitsSince(id)).not.toBeNull();
  await pass(world, 0.6 * dayMs);
  expect(await mailsOf(id)).toHaveLength(2);
});

it("does not go again for an installment if the account's hour moves later on its day", async () => {
  const id = await invoice([-3], inParts());
  world.clock.advance(2 * dayMs - 2 * hourMs);
  await runJobs(world);
  expect(await mailsOf(id)).toHaveLength(1);
  const preferences = { reminder_hour: 18 };
  await world.call(updateAccount, acme.admin.actor, { account_id: acme.member.accountId, preferences });
  const reminders = { offsets_days: [-3, 2] };
  await world.call(updatePaymentRequest, acme.member.actor, { payment_id: id, reminders });
  await pass(world, dayMs);
  expect(await mailsOf(id)).toHaveLength(1);
});

it("is planned again if it was missed and the due date moves with the reminders", async () => {
  const id = await invoice([-3, 2], { due_at: day(2) });
  expect(await statesOf(id)).toEqual(["missed", "planned"]);
  const change = { due_at: day(20), reminders: { offsets_days: [-3, 2] } };
  await world.call(updatePaymentRequest, acme.member.actor, { payment_id: id, ...change });
  expect(await statesOf(id)).toEqual(["planned", "planned"]);
});

const setZone = (timezone: string | null) =>
  world.call(updateAccount, acme.admin.actor, { account_id: acme.member.accountId, preferences: { timezone } });
const setHour = (reminder_hour: number) =>
  world.call(updateAccount, acme.admin.actor, { account_id: acme.member.accountId, preferences: { reminder_hour } });
const plannedTimes = async (id: string) => (await remindersOf(id)).map((one) => one.planned_at);

it("moves with the hour and the time zone of its account, and with the zone of the organization", async () => {
  const [first, second] = [await invoice([-3, 0]), await invoice([-1])];
  await world.call(updateAccount, acme.admin.actor, {
    account_id: acme.member.accountId,
    preferences: { timezone: "Asia/Tokyo", reminder_hour: 8 },
  });
  await runJobs(world);
  // Due at the end of the tenth day in UTC, which is the morning of the eleventh in Tokyo.
  expect(await plannedTimes(first)).toEqual([`${day(7)}T23:00:00.000Z`, `${day(10)}T23:00:00.000Z`]);
  expect(await plannedTimes(second)).toEqual([`${day(9)}T23:00:00.000Z`]);
  await world.call(updateOrganizationSettings, acme.admin.actor, { timezone: "America/New_York" });
  await runJobs(world);
  expect(await plannedTimes(second)).toEqual([`${day(9)}T23:00:00.000Z`]);
  await setZone(null);
  await runJobs(world);
  expect(await plannedTimes(second)).toEqual(
    [instantOf(Date.parse(`${day(9)}T08:00:00Z`), "America/New_York")].map(iso),
  );
  await world.call(updateOrganizationSettings, acme.admin.actor, { timezone: "America/Los_Angeles" });
  await runJobs(world);
  expect(await plannedTimes(second)).toEqual(
    [instantOf(Date.parse(`${day(9)}T08:00:00Z`), "America/Los_Angeles")].map(iso),
  );
});

it("goes at once if its new time has passed, and once only", async () => {
  await setZone("America/Los_Angeles");
  const id = await invoice([-3], { due_at: `${day(10)}T20:00:00Z` });
  await pass(world, 7 * dayMs);
  expect(await statesOf(id)).toEqual(["planned"]);
  await setZone("Europe/London");
  await runJobs(world);
  expect(await statesOf(id)).toEqual(["sent"]);
  await setZone("America/Los_Angeles");
  await pass(world, dayMs);
  expect(await mailsOf(id)).toHaveLength(1);
});

it("still goes if the hour moves while it waits and then something else changes", async () => {
  const [one, other] = [await invoice([-3], { due_at: day(5) }), await invoice([-3], { due_at: day(5) })];
  const parts = await invoice([-3], inParts());
  world.clock.advance(2.5 * dayMs);
  await runJobs(world);
  await setHour(8);
  await runJobs(world);
  const change = (payment_id: string, fields: object) =>
    world.call(updatePaymentRequest, acme.member.actor, { payment_id, ...fields });
  await change(one, { metadata: { order: "7" } });
  for (const id of [other, parts]) await change(id, { reminders: { offsets_days: [-3, 0] } });
  expect(await waitsSince(parts)).not.toBeNull();
  await pass(world, 0.5 * dayMs);
  for (const id of [one, other, parts]) expect(await mailsOf(id)).toHaveLength(1);
  expect([await statesOf(one), await statesOf(other)]).toEqual([["sent"], ["sent", "planned"]]);
  expect(await statesOf(parts)).toEqual(["planned", "planned"]);
});

it("is planned again instead of waiting if the date moves with the reminders", async () => {
  const id = await invoice([-3]);
  world.clock.advance(7.5 * dayMs);
  await runJobs(world);
  const change = { due_at: day(20), reminders: { offsets_days: [-3] } };
  await world.call(updatePaymentRequest, acme.member.actor, { payment_id: id, ...change });
  expect(await remindersOf(id)).toMatchObject([{ planned_at: `${day(17)}T09:00:00.000Z`, waiting_until: null }]);
});

it("moves in batches, and a request whose reminders are over stays as it is", async () => {
  const paid = await invoice([-3]);
  await world.call(markPaid, acme.member.actor, { payment_id: paid, method: "cash", reason: "At the counter" });
  const before = await remindersOf(paid);
  const ids: string[] = [];
  for (let i = 0; i < limits.batch.cancel + 1; i++) ids.push(await invoice([-1]));
  await setZone("Asia/Tokyo");
  await runJobs(world);
  for (const id of ids) expect(await plannedTimes(id)).toEqual([`${day(10)}T00:00:00.000Z`]);
  expect(await remindersOf(paid)).toEqual(before);
});
