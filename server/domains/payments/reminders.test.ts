// Reminders of payment requests: sent on demand and as planned, each once, and only while the customer has to pay.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { accounts, events, jobs, mails } from "@/db/tables";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import { eraseCustomerOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { ask, payPart, payWith, type RequestFields } from "@/test/payer";
import { newEmail } from "@/test/people";
import { anotherProcess, openedWith, openWorld, refusalOf, type TestUser, type World } from "@/test/world";
import { cancelPayment } from "./operations/cancel";
import { extendPayment } from "./operations/extend";
import { getPayment } from "./operations/get";
import { listPaymentRequests } from "./operations/list";
import { markPaid } from "./operations/mark-paid";
import { remindPayment } from "./operations/remind";
import { updatePaymentRequest } from "./operations/update";
import { remindWhenDue } from "./reminders";

let world: World;
/** Another process if the engine supports several. */
let other: World;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld();
  other = dialect === "postgres" ? await anotherProcess(world) : world;
});
beforeEach(async () => {
  // Noon in UTC, the time zone of the accounts here.
  world.clock.advance(dayMs + dayMs / 2 - (world.clock.now() % dayMs));
  ({ admin, member: user } = await world.organization());
});
afterAll(async () => {
  await expectSoundLedger(world);
  if (other !== world) await other.close();
  await world.close();
});

const inDays = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString();

/** The hour at which reminders go, so many days from today. */
const morning = (days: number) =>
  new Date(Math.floor(world.clock.now() / dayMs) * dayMs + days * dayMs + 9 * hourMs).toISOString();

/** Creates a payment request that expires after ten days, with reminders. */
async function request(offsets_days: number[], fields: RequestFields = {}) {
  const customer = { name: "Grace", email: newEmail() };
  const given = { expires_at: inDays(10), customer, reminders: { offsets_days }, ...fields };
  return ask(world, user.actor, given);
}

const remindersOf = async (payment_id: string) =>
  (await world.call(getPayment, user.actor, { payment_id })).reminders ?? [];
/** Each reminder as "planned", "sent" or why it was skipped. */
const statesOf = async (payment_id: string) =>
  (await remindersOf(payment_id)).map((one) => one.skipped_reason ?? (one.sent_at === null ? "planned" : "sent"));
const mailsAbout = (paymentId: string) =>
  world.runtime.db.read
    .select()
    .from(mails)
    .where(and(eq(mails.paymentId, paymentId), eq(mails.kind, "payment_reminder")));
const eventsAbout = (paymentId: string) =>
  world.runtime.db.read
    .select()
    .from(events)
    .where(and(eq(events.objectId, paymentId), eq(events.type, "payment.reminder_sent")));
async function jobOf(paymentId: string) {
  const found = world.runtime.db.read.select().from(jobs);
  return (await found.where(eq(jobs.key, `payments.remind:${paymentId}`)))[0];
}
async function pass(days: number): Promise<void> {
  world.clock.advance(days * dayMs);
  await runJobs(world);
}

describe("a reminder on demand", () => {
  const remind = (payment_id: string, message?: string) =>
    world.call(remindPayment, user.actor, { payment_id, message });

  it("mails the customer, with the message, and is announced", async () => {
    const { payment } = await request([-1]);
    const sent = await remind(payment.payment_id, "See you soon");
    expect(sent).toMatchObject({ kind: "payment_reminder", to: payment.customer?.email, status: "held" });
    const [row] = await mailsAbout(payment.payment_id);
    expect(row?.subject).toContain("Reminder:");
    expect(row?.text).toContain("> See you soon");
    const [event] = await eventsAbout(payment.payment_id);
    expect(event?.data).toMatchObject({ mail_id: sent.mail_id, offset_days: null, amount_due: payment.amount_due });
    expect(await statesOf(payment.payment_id)).toEqual(["planned"]);
  });

  it("is refused without an e-mail, and when nothing can be paid", async () => {
    const plain = await ask(world, user.actor);
    expect(await refusalOf(remind(plain.payment.payment_id))).toBe("invalid_request");
    const customer = { email: newEmail() };
    const paid = await ask(world, user.actor, { customer });
    await payWith(world, paid.token);
    expect(await refusalOf(remind(paid.payment.payment_id))).toBe("payment_already_paid");
    const canceled = await ask(world, user.actor, { customer });
    await world.call(cancelPayment, user.actor, { payment_id: canceled.payment.payment_id });
    expect(await refusalOf(remind(canceled.payment.payment_id))).toBe("payment_not_payable");
    const held = await ask(world, user.actor, { customer, capture_method: "manual" });
    await payWith(world, held.token);
    expect(await refusalOf(remind(held.payment.payment_id))).toBe("payment_processing");
    const expired = await ask(world, user.actor, { customer, expires_at: inDays(1) });
    world.clock.advance(dayMs);
    expect(await refusalOf(remind(expired.payment.payment_id))).toBe("payment_expired");
    expect(await refusalOf(remind(`pay_${"0".repeat(26)}`))).toBe("payment_not_found");
  });

  it("counts towards the limits of mails", async () => {
    const { payment } = await request([-1]);
    for (let i = 0; i < limits.mail.perRequest; i++) await remind(payment.payment_id);
    expect(await refusalOf(remind(payment.payment_id))).toBe("rate_limited");
    expect(await mailsAbout(payment.payment_id)).toHaveLength(limits.mail.perRequest);
  });
});

describe("planned reminders", () => {
  it("hang on the due date, else on the expiry, and skip what is over at the creation", async () => {
    const { payment } = await request([-20, -3, 0]);
    expect(await statesOf(payment.payment_id)).toEqual(["missed", "planned", "planned"]);
    expect(payment.reminders?.[1]).toEqual({
      ...{ offset_days: -3, planned_at: morning(7), waiting_until: null, sent_at: null, mail_id: null },
      skipped_reason: null,
    });
    expect(await jobOf(payment.payment_id)).toMatchObject({ runAt: Date.parse(morning(7)) });
    const due = await request([7], { type: "invoice", due_at: inDays(2), expires_at: inDays(30) });
    expect(due.payment.reminders).toMatchObject([{ planned_at: morning(9) }]);
    const list = await world.call(listPaymentRequests, user.actor, {});
    expect(list.data.map(({ reminders }) => reminders?.length).sort()).toEqual([1, 3]);
    expect((await ask(world, user.actor)).payment.reminders).toBeNull();
  });

  it("need a date, an e-mail and sensible offsets", async () => {
    const refused = (offsets: number[], fields: RequestFields = {}) => refusalOf(request(offsets, fields));
    const many = Array.from({ length: limits.reminders.perRequest + 1 }, (_, i) => i);
    const { days } = limits.reminders;
    for (const wrong of [[], many, [1, 1], [2, 1], [-days - 1], [days + 1], [0.5]])
      expect(await refused(wrong)).toBe("invalid_request");
    expect(await refused([-1], { customer: { name: "Grace" } })).toBe("invalid_request");
    expect(await refused([-1], { type: "invoice", expires_at: null })).toBe("invalid_request");
    await request([-days, days], { type: "invoice", due_at: inDays(1), expires_at: null });
  });

  it("are refused if none of them could go: all are over, or the payment request expires before", async () => {
    const fault = "reminders.offsets_days: all of them lie in the past, or at or after the expiry";
    const faultOf = (offsets: number[], fields: RequestFields = {}) =>
      request(offsets, fields).then(
        () => null,
        (error: Error) => error.message,
      );
    const invoice = { type: "invoice", due_at: inDays(8) } as const;
    expect(await faultOf([-20, -10])).toContain(fault);
    expect(await faultOf([1, 7])).toContain(fault);
    expect(await faultOf([3, 4], invoice)).toContain(fault);
    expect(await faultOf([1, 7], { draft: true })).toBeNull();
    const { payment } = await request([-20, -1]);
    expect(payment.reminders).toMatchObject([{ skipped_reason: "missed" }, { skipped_reason: null }]);
    expect(await faultOf([-7, 2], invoice)).toBeNull();
    const { payment_id } = payment;
    const patch = (offsets_days: number[]) =>
      world.call(updatePaymentRequest, user.actor, { payment_id, reminders: { offsets_days } });
    await expect(patch([-20, 4])).rejects.toThrow(fault);
    expect((await patch([-20, -2])).reminders).toMatchObject([{}, { planned_at: morning(8) }]);
    const installments = [5, 15].map((days) => ({ amount: 625, due_at: inDays(days) }));
    expect(await faultOf([-9], { installments, expires_at: null })).toBeNull();
    expect(await faultOf([-20], { installments, expires_at: null })).toContain(fault);
    // What is planned already may be repeated, whatever has become of it.
    const { payment: soon } = await request([-1], { expires_at: inDays(2) });
    await pass(1.5);
    const again = { payment_id: soon.payment_id, description: "Again", reminders: { offsets_days: [-1] } };
    expect(await world.call(updatePaymentRequest, user.actor, again)).toMatchObject({ description: "Again" });
  });

  it("go at their time, once, and are announced", async () => {
    const { payment } = await request([-3, -1]);
    await pass(6.8);
    expect(await statesOf(payment.payment_id)).toEqual(["planned", "planned"]);
    await pass(0.1);
    expect(await statesOf(payment.payment_id)).toEqual(["sent", "planned"]);
    const [mail] = await mailsAbout(payment.payment_id);
    expect((await remindersOf(payment.payment_id))[0]).toMatchObject({
      ...{ mail_id: mail?.id, sent_at: new Date(world.clock.now()).toISOString() },
    });
    await pass(2);
    expect(await statesOf(payment.payment_id)).toEqual(["sent", "sent"]);
    const announced = await eventsAbout(payment.payment_id);
    expect(announced.map(({ data }) => data.offset_days)).toEqual([-3, -1]);
    expect(await jobOf(payment.payment_id)).toBeUndefined();
    expect(await mailsAbout(payment.payment_id)).toHaveLength(2);
  });

  it("send only the latest after an outage", async () => {
    const { payment } = await request([-5, -3, -1]);
    await pass(8);
    expect(await statesOf(payment.payment_id)).toEqual(["superseded", "sent", "planned"]);
    expect(await mailsAbout(payment.payment_id)).toHaveLength(1);
  });

  it("move with the expiry, unless they hang on the due date or were sent", async () => {
    const { payment } = await request([-5, -3]);
    await pass(5);
    const extend = (payment_id: string, days: number) =>
      world.call(extendPayment, user.actor, { payment_id, expires_at: inDays(days) });
    const extended = await extend(payment.payment_id, 20);
    expect(extended.reminders).toMatchObject([{ planned_at: morning(0) }, { planned_at: morning(17), sent_at: null }]);
    expect(await jobOf(payment.payment_id)).toMatchObject({ runAt: Date.parse(morning(17)) });
    const due = await request([-1], { type: "invoice", due_at: inDays(3) });
    expect((await extend(due.payment.payment_id, 30)).reminders).toMatchObject([{ planned_at: morning(2) }]);
  });

  it("go before a later due date, although it was too late for them before the earlier one", async () => {
    const { payment } = await request([-3, 2], { type: "invoice", due_at: inDays(2), expires_at: null });
    const { payment_id } = payment;
    expect(await statesOf(payment_id)).toEqual(["missed", "planned"]);
    await world.call(updatePaymentRequest, user.actor, { payment_id, due_at: inDays(20) });
    expect(await remindersOf(payment_id)).toMatchObject([
      { planned_at: morning(17), skipped_reason: null },
      { planned_at: morning(22), skipped_reason: null },
    ]);
  });
});

describe("reminders of installments", () => {
  const inThree = { type: "invoice", amount: 1000, expires_at: null } as const;
  const dueIn = (...days: number[]) => days.map((day, i) => ({ amount: i === 0 ? 400 : 300, due_at: inDays(day) }));
  /** On which of the coming days reminders went. */
  async function daysOf(paymentId: string, days: number): Promise<number[]> {
    const begin = Math.floor(world.clock.now() / dayMs);
    for (let hour = 0; hour < days * 24; hour += 12) await pass(0.5);
    const sent = (await mailsAbout(paymentId)).map(({ createdAt }) => Math.floor(createdAt / dayMs) - begin);
    return sent.sort((a, b) => a - b);
  }

  it("go before and after each, although none is paid, and name what is overdue", async () => {
    const { payment } = await request([-3, 2], { ...inThree, installments: dueIn(10, 40, 70) });
    expect(await daysOf(payment.payment_id, 80)).toEqual([7, 12, 37, 42, 67, 72]);
    const texts = (await mailsAbout(payment.payment_id)).sort((a, b) => a.createdAt - b.createdAt);
    expect(texts.map(({ subject }) => /€[\d.]+/.exec(subject)?.[0])).toEqual([
      ...["€4.00", "€4.00", "€4.00", "€7.00", "€7.00", "€10.00"],
    ]);
    expect(await jobOf(payment.payment_id)).toBeUndefined();
  });

  it("leave out those that are paid, and those for which it was too late", async () => {
    const { payment, token } = await request([-3], { ...inThree, installments: dueIn(2, 20, 40) });
    expect((await remindersOf(payment.payment_id))[0]).toMatchObject({ planned_at: morning(17), skipped_reason: null });
    for (const _ of [1, 2]) await payPart(world, token, "next");
    expect((await remindersOf(payment.payment_id))[0]).toMatchObject({ planned_at: morning(37) });
    expect(await daysOf(payment.payment_id, 45)).toEqual([37]);
  });

  it("go once for the latest after an outage, and on for the next", async () => {
    const { payment } = await request([-3, 1], { ...inThree, installments: dueIn(10, 40, 70) });
    const begin = world.clock.now();
    await pass(50);
    expect(await mailsAbout(payment.payment_id)).toHaveLength(1);
    const at = (days: number) => new Date(Math.floor(begin / dayMs) * dayMs + days * dayMs + 9 * hourMs).toISOString();
    expect(await remindersOf(payment.payment_id)).toMatchObject([{ planned_at: at(67) }, { planned_at: at(71) }]);
    expect(await statesOf(payment.payment_id)).toEqual(["planned", "planned"]);
  });
});

describe("nothing is sent", () => {
  it("once it is paid or canceled, which the reminders show at once", async () => {
    const paid = (await request([-1])).payment.payment_id;
    await world.call(markPaid, user.actor, { payment_id: paid, method: "cash", reason: "At the counter" });
    expect(await statesOf(paid)).toEqual(["payment_already_paid"]);
    const canceled = (await request([-1])).payment.payment_id;
    await world.call(cancelPayment, user.actor, { payment_id: canceled });
    expect(await statesOf(canceled)).toEqual(["payment_not_payable"]);
    expect(await jobOf(canceled)).toBeUndefined();
  });

  it("after the expiry, during a payment, or without an owner of the account", async () => {
    const expired = (await request([-1, 1])).payment.payment_id;
    const held = await request([-1], { capture_method: "manual" });
    await pass(8.5);
    await payWith(world, held.token);
    const set = (to: Partial<typeof accounts.$inferInsert>) =>
      world.runtime.db.write((tx) => tx.update(accounts).set(to).where(eq(accounts.id, user.accountId)).then());
    const heldId = held.payment.payment_id;
    await pass(0.5);
    expect(await statesOf(heldId)).toEqual(["payment_processing"]);
    const late = await request([-1]);
    await set({ ownerUserId: null, orphanedAt: world.clock.now() });
    const remind = world.call(remindPayment, admin.actor, { payment_id: late.payment.payment_id });
    expect(await refusalOf(remind)).toBe("payment_not_payable");
    await pass(9);
    await set({ ownerUserId: user.id, orphanedAt: null });
    expect(await statesOf(late.payment.payment_id)).toEqual(["account_unavailable"]);
    expect(await statesOf(expired)).toEqual(["sent", "payment_expired"]);
    expect(await mailsAbout(expired)).toHaveLength(1);
    for (const id of [heldId, late.payment.payment_id]) expect(await mailsAbout(id)).toEqual([]);
  });

  it("to a customer who was erased, and stop no change of anything else", async () => {
    const { payment } = await request([-1]);
    await eraseCustomerOf(world, user.actor, payment.customer?.customer_id ?? "");
    const change = (fields: object) =>
      world.call(updatePaymentRequest, user.actor, { payment_id: payment.payment_id, ...fields });
    expect(await change({ description: "Still to be paid" })).toMatchObject({ description: "Still to be paid" });
    expect(await refusalOf(change({ reminders: { offsets_days: [-2] } }))).toBe("invalid_request");
    await pass(9);
    expect(await statesOf(payment.payment_id)).toEqual(["customer_without_email"]);
  });
});

describe("two workers and a crash", () => {
  it("send once when two workers run the job at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const { payment } = await request([-3]);
      world.clock.advance(7 * dayMs);
      const workers = [world, other, world, other];
      await Promise.all(workers.map(({ runtime }) => remindWhenDue(runtime, payment.payment_id)));
      expect(await mailsAbout(payment.payment_id)).toHaveLength(1);
      expect(await eventsAbout(payment.payment_id)).toHaveLength(1);
      expect(await statesOf(payment.payment_id)).toEqual(["sent"]);
    }
  });

  it("send once when a worker dies before or after the commit", async () => {
    const { payment } = await request([-3]);
    world.clock.advance(7 * dayMs);
    const { db } = world.runtime;
    const dying = openedWith(world, {
      ...world.runtime,
      db: Object.assign(Object.create(db), {
        write: (work: Parameters<typeof db.write>[0]) =>
          db.write(async (tx) => {
            await work(tx);
            throw new Error("The worker died.");
          }),
      }) as typeof db,
    });
    await expect(remindWhenDue(dying.runtime, payment.payment_id)).rejects.toThrow("died");
    expect(await statesOf(payment.payment_id)).toEqual(["planned"]);
    expect(await mailsAbout(payment.payment_id)).toEqual([]);
    await remindWhenDue(world.runtime, payment.payment_id);
    // The job is still there, as if the worker had died before it removed it.
    expect(await jobOf(payment.payment_id)).toBeDefined();
    await runJobs(world);
    expect(await mailsAbout(payment.payment_id)).toHaveLength(1);
    expect(await jobOf(payment.payment_id)).toBeUndefined();
  });

  it("decide one way when it is paid while its reminder is due", async () => {
    for (let round = 0; round < 5; round++) {
      const { payment } = await request([-3]);
      world.clock.advance(7 * dayMs);
      const input = { payment_id: payment.payment_id, method: "cash", reason: "At the counter" } as const;
      await Promise.all([remindWhenDue(world.runtime, payment.payment_id), other.call(markPaid, user.actor, input)]);
      const states = await statesOf(payment.payment_id);
      expect(["sent", "payment_already_paid"]).toContain(states[0]);
      expect(await mailsAbout(payment.payment_id)).toHaveLength(states[0] === "sent" ? 1 : 0);
    }
  });
});
