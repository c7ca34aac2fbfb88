// Extending a payment request: what it moves and reopens, every refusal, and its races.
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { accounts, auditEntries, events, jobs } from "@/db/tables";
import { Failure } from "@/server/kit/errors";
import { dayMs } from "@/server/kit/limits";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { create, expectSoundLedger } from "@/test/money";
import {
  ask,
  card,
  formToken,
  goodCard,
  openPage,
  paymentRow,
  payWith,
  type RequestFields,
  submit,
} from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { anotherProcess, openWorld, type TestUser, type World } from "@/test/world";
import { expirePayment } from "../expire";
import { paymentActions } from "./actions";
import { cancelPayment } from "./cancel";
import { extendPayment } from "./extend";

let world: World;
/** Calls come from two processes if the engine supports several. */
let other: World;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  other = dialect === "postgres" ? await anotherProcess(world) : world;
});
beforeEach(async () => {
  user = (await world.organization()).member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  if (other !== world) await other.close();
  await world.close();
});

const inMs = (milliseconds: number) => new Date(world.clock.now() + milliseconds).toISOString();
const request = (fields: RequestFields = {}) => ask(world, user.actor, { expires_at: inMs(dayMs), ...fields });
const extend = (payment_id: string, expires_at: string | null = inMs(10 * dayMs), from = world) =>
  from.call(extendPayment, user.actor, { payment_id, expires_at });
const actionsOf = (payment_id: string) => world.call(paymentActions, user.actor, { payment_id });

/** The error's code, and its description. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => "done",
    (thrown: unknown) => thrown,
  );
  return error instanceof Failure ? `${error.code} ${error.message}` : String(error);
}

async function eventsOf(paymentId: string): Promise<string[]> {
  const found = world.runtime.db.read.select({ type: events.type }).from(events).where(eq(events.objectId, paymentId));
  return (await found.orderBy(asc(events.sequence))).map(({ type }) => type);
}

async function jobOf(paymentId: string) {
  const found = world.runtime.db.read.select().from(jobs);
  return (await found.where(eq(jobs.key, `payments.expire:${paymentId}`)))[0];
}

async function expire(): Promise<void> {
  world.clock.advance(dayMs);
  await runJobs(world);
}

describe("an open payment request", () => {
  it("expires at its new time instead, and says so in an event and in the audit log", async () => {
    const { payment } = await request();
    const { payment_id } = payment;
    const until = world.clock.now() + 10 * dayMs;
    const extended = await extend(payment_id);
    expect(extended).toMatchObject({ status: "pending", expires_at: new Date(until).toISOString() });
    expect(extended.payment_url).toBe(payment.payment_url);
    expect(await jobOf(payment_id)).toMatchObject({ runAt: until });
    expect(await eventsOf(payment_id)).toEqual(["payment.created", "payment.updated"]);
    const entries = world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.targetId, payment_id));
    expect((await entries).find(({ operation }) => operation === "payments.extend")?.detail).toMatchObject({
      previous_expires_at: payment.expires_at,
      expires_at: extended.expires_at,
    });
    await expire();
    expect((await paymentRow(world, payment_id)).status).toBe("pending");
    world.clock.advance(until - world.clock.now());
    await runJobs(world);
    expect((await paymentRow(world, payment_id)).status).toBe("expired");
    await expectOneTruth(world, payment_id);
  });

  it("may be extended while a card waits for its confirmation or its capture", async () => {
    const confirmed = await request();
    await payWith(world, confirmed.token, card("4000002500003155"));
    expect((await extend(confirmed.payment.payment_id)).status).toBe("requires_action");
    const held = await request({ capture_method: "manual" });
    await payWith(world, held.token);
    expect((await extend(held.payment.payment_id)).status).toBe("authorized");
    expect(await actionsOf(held.payment.payment_id)).toMatchObject({ can_extend: false });
    for (const { payment } of [confirmed, held]) await expectOneTruth(world, payment.payment_id);
  });
});

describe("an expired payment request", () => {
  it.each([true, false])("can be paid again by the same link (recorded as expired: %s)", async (isRecorded) => {
    const { payment, token } = await request();
    if (isRecorded) await expire();
    else world.clock.advance(dayMs);
    expect((await openPage(world, token)).state).toBe("expired");
    expect(await actionsOf(payment.payment_id)).toMatchObject({ can_extend: true, can_pay: false });
    expect((await extend(payment.payment_id)).status).toBe("pending");
    expect((await eventsOf(payment.payment_id)).slice(-2)).toEqual(["payment.expired", "payment.updated"]);
    const entries = world.runtime.db.read.select().from(auditEntries);
    const ofRequest = await entries.where(eq(auditEntries.targetId, payment.payment_id));
    const entry = ofRequest.find(({ operation }) => operation === "payments.extend");
    expect(entry?.detail).toMatchObject({ previous_status: "expired" });
    expect((await openPage(world, token)).state).toBe("open");
    expect(await jobOf(payment.payment_id)).toBeDefined();
    await expectOneTruth(world, payment.payment_id);
    await payWith(world, token);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ status: "paid", amountPaid: 1250 });
    expect(await eventsOf(payment.payment_id)).not.toContain("payment.paid_late");
    await expectOneTruth(world, payment.payment_id);
  });

  it("is partially paid again if a part was paid", async () => {
    const { payment } = await request();
    const part = { type: "payment", payment_id: payment.payment_id, amount: 400, currency: "EUR" } as const;
    await create(world, user.actor, part);
    await expire();
    expect(await extend(payment.payment_id)).toMatchObject({ status: "partially_paid", amount_due: 850 });
    const types = await eventsOf(payment.payment_id);
    expect(types.slice(-2)).toEqual(["payment.expired", "payment.updated"]);
    await expectOneTruth(world, payment.payment_id);
  });
});

describe("one whose authorization was not captured in time", () => {
  const lapsed = async (fields: RequestFields) => {
    const { payment, token } = await request({ capture_method: "manual", ...fields });
    await payWith(world, token);
    world.clock.advance(8 * dayMs);
    return { payment_id: payment.payment_id, token };
  };

  it.each([true, false])("can be paid again by the same link (recorded as expired: %s)", async (isRecorded) => {
    const { payment_id, token } = await lapsed({ expires_at: inMs(30 * dayMs) });
    if (isRecorded) await runJobs(world);
    expect(await actionsOf(payment_id)).toMatchObject({ can_extend: true, can_pay: false });
    // Earlier than its expiry, which has not passed.
    expect(await extend(payment_id)).toMatchObject({ status: "pending", expires_at: inMs(10 * dayMs) });
    expect((await eventsOf(payment_id)).slice(-2)).toEqual(["payment.authorization_expired", "payment.updated"]);
    await expectOneTruth(world, payment_id);
    // Until the provider has confirmed the end of the hold, no card is charged.
    expect((await openPage(world, token)).state).toBe(isRecorded ? "open" : "processing");
    await runJobs(world);
    await payWith(world, token);
    expect((await paymentRow(world, payment_id)).status).toBe("authorized");
    world.clock.advance(8 * dayMs);
    await runJobs(world);
    expect((await paymentRow(world, payment_id)).status).toBe("expired");
    await expectOneTruth(world, payment_id);
  });

  it("needs no expiry if it had none, and gets one if it is given one", async () => {
    const invoice = { type: "invoice", expires_at: null } as const;
    const [endless, ending] = [await lapsed(invoice), await lapsed(invoice)];
    expect(await extend(endless.payment_id, null)).toMatchObject({ status: "pending", expires_at: null });
    expect(await extend(ending.payment_id)).toMatchObject({ status: "pending", expires_at: inMs(10 * dayMs) });
    expect(await jobOf(endless.payment_id)).toBeUndefined();
    expect(await jobOf(ending.payment_id)).toBeDefined();
    for (const { payment_id } of [endless, ending]) await expectOneTruth(world, payment_id);
  });
});

describe("is refused", () => {
  it("for no time if it has an expiry, and for one before an invoice is due", async () => {
    const { payment_id } = (await request()).payment;
    expect(await refusal(extend(payment_id, null))).toMatch(/^invalid_request expires_at: must be a time/);
    const day = new Date(world.clock.now() + 20 * dayMs).toISOString().slice(0, 10);
    const invoice = await request({ type: "invoice", expires_at: null, due_at: day, capture_method: "manual" });
    await payWith(world, invoice.token);
    world.clock.advance(8 * dayMs);
    expect(await refusal(extend(invoice.payment.payment_id))).toMatch(/^invalid_request expires_at: .*due date/);
  });

  it("for a time that is past, too far away, or not later than the present expiry", async () => {
    const { payment_id } = (await request()).payment;
    expect(await refusal(extend(payment_id, inMs(0)))).toMatch(/^invalid_request expires_at: .*future/);
    expect(await refusal(extend(payment_id, inMs(366 * dayMs + 1)))).toMatch(/^invalid_request .*at most 366 days/);
    expect(await refusal(extend(payment_id, inMs(dayMs)))).toMatch(/^invalid_request .*later than the present expiry/);
    expect((await extend(payment_id, inMs(366 * dayMs))).expires_at).toBe(inMs(366 * dayMs));
  });

  it("for one that is paid, canceled or without an expiry", async () => {
    const paid = await request();
    await payWith(world, paid.token);
    const canceled = await request();
    await world.call(cancelPayment, user.actor, { payment_id: canceled.payment.payment_id });
    const endless = await request({ type: "invoice", expires_at: null });
    const cases = [
      [paid, "payment_already_paid"],
      [canceled, "payment_not_extendable"],
      [endless, "payment_not_extendable"],
    ] as const;
    for (const [{ payment }, code] of cases) {
      expect(await refusal(extend(payment.payment_id))).toContain(code);
      expect(await actionsOf(payment.payment_id)).toMatchObject({ can_extend: false });
    }
  });

  it("for a closed account, and for one whose owner was removed", async () => {
    const orphaned = await request();
    const orphan = (orphanedAt: number | null) =>
      world.runtime.db.write(async (tx) => {
        const ownerUserId = orphanedAt === null ? user.id : null;
        await tx.update(accounts).set({ ownerUserId, orphanedAt }).where(eq(accounts.id, user.accountId));
      });
    const { admin } = await world.organization();
    expect(await refusal(world.call(extendPayment, admin.actor, { ...later(orphaned) }))).toContain(
      "payment_not_found",
    );
    await orphan(world.clock.now());
    const byKey = { ...user.actor, role: "admin" } as TestUser["actor"];
    const nothing = { can_pay: false, can_send: false, can_extend: false };
    expect(await world.call(paymentActions, byKey, { payment_id: orphaned.payment.payment_id })).toMatchObject(nothing);
    expect(await refusal(world.call(extendPayment, byKey, later(orphaned)))).toContain("payment_not_extendable");
    await orphan(null);
    const closed = await request();
    await expire();
    await closeAccountOf(world, user.actor, user.accountId);
    expect(await refusal(extend(closed.payment.payment_id))).toContain("account_closed");
  });
});

const later = ({ payment }: { payment: { payment_id: string } }) => ({
  payment_id: payment.payment_id,
  expires_at: inMs(10 * dayMs),
});

describe("at the same time as", () => {
  const codeOf = async (call: Promise<unknown>) => (await refusal(call)).split(" ")[0];
  const rounds = Array.from({ length: 6 }, (_, i) => i);

  it.each(rounds)("a payment: the payment decides alone, and counts once (%i)", async (round) => {
    const { payment, token } = await request();
    const form = await formToken(world, token);
    const calls = [
      () => codeOf(extend(payment.payment_id)),
      () => submit(other, token, form, goodCard).then(() => "done"),
    ];
    if (round % 2 === 1) calls.reverse();
    const answers = await Promise.all(calls.map((call) => call()));
    for (const answer of answers) expect(["done", "[object", "payment_already_paid"]).toContain(answer);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ status: "paid", amountPaid: 1250 });
    await expectOneTruth(world, payment.payment_id);
  });

  it.each(rounds)("a cancellation: it is canceled in the end (%i)", async (round) => {
    const { payment } = await request();
    const { payment_id } = payment;
    const calls = [
      () => codeOf(extend(payment_id)),
      () => codeOf(other.call(cancelPayment, user.actor, { payment_id })),
    ];
    if (round % 2 === 1) calls.reverse();
    const answers = await Promise.all(calls.map((call) => call()));
    expect(answers[round % 2 === 1 ? 0 : 1]).toBe("done");
    expect(["done", "payment_not_extendable"]).toContain(answers[round % 2 === 1 ? 1 : 0]);
    expect((await paymentRow(world, payment_id)).status).toBe("canceled");
    expect(await jobOf(payment_id)).toBeUndefined();
    await expectOneTruth(world, payment_id);
  });

  it.each(rounds)("the expiry job: it is open, and has its job (%i)", async (round) => {
    const { payment } = await request();
    const { payment_id } = payment;
    world.clock.advance(dayMs);
    const calls: (() => Promise<unknown>)[] = [
      () => codeOf(extend(payment_id)),
      () => expirePayment(other.runtime, payment_id),
      () => runJobs(other),
    ];
    await Promise.all((round % 2 === 1 ? calls.reverse() : calls).map((call) => call()));
    expect((await paymentRow(world, payment_id)).status).toBe("pending");
    expect(await jobOf(payment_id)).toMatchObject({ status: "waiting", runAt: world.clock.now() + 10 * dayMs });
    await expectOneTruth(world, payment_id);
  });
});
