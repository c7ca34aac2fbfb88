// Simulated events: each changes the sandbox's own row and is handled like every event; what does not fit is refused.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { organizations, payments, sandboxClocks, sandboxOperations } from "@/db/tables";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { type SimulatedEvent, simulatedEvents } from "@/server/domains/providers/sandbox-events";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { dayMs } from "@/server/kit/limits";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { askMany, payUse } from "@/test/link-payer";
import { beginCharge, expectSoundLedger } from "@/test/money";
import { ask, card, goodCard, payWith, type RequestFields, transactionsOf } from "@/test/payer";
import { planFault } from "@/test/provider-faults";
import { moveClock } from "@/test/sandbox-clock";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { sandboxEvents, simulateEvent } from "./operations/simulate";

let world: World;
let acme: TestOrganization;
let admin: TestOrganization["admin"]["actor"];
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
  admin = acme.admin.actor;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const challenged = card("4000002760003184");
const lost = { ...goodCard, card_number: troubledCard, security_code: lostAnswerCode };
const byHand: RequestFields = { capture_method: "manual" };

const simulate = (payment_id: string, event: SimulatedEvent) => world.call(simulateEvent, admin, { payment_id, event });
const fitting = async (payment_id: string) => (await world.call(sandboxEvents, admin, { payment_id })).events;

/** The id of a payment request on which somebody has paid, or tried to. */
async function paidWith(typed: typeof goodCard | null, fields: RequestFields = {}): Promise<string> {
  const { payment, token } = await ask(world, acme.member.actor, fields);
  if (typed) await payWith(world, token, typed);
  return payment.payment_id;
}

/** The id of one whose attempt the sandbox has never received. */
async function neverReceived(fields: RequestFields = {}): Promise<string> {
  const id = await paidWith(null, fields);
  await beginCharge(world, acme.member, { paymentId: id, amount: 1250 });
  return id;
}

async function refunded(typed: typeof goodCard): Promise<string> {
  const payment_id = await paidWith(typed);
  await world.call(refundPayment, acme.member.actor, { payment_id });
  return payment_id;
}

async function disputed(): Promise<string> {
  const id = await paidWith(goodCard);
  await simulate(id, "dispute");
  return id;
}

async function partlyRefunded(): Promise<string> {
  const payment_id = await paidWith(goodCard);
  await world.call(refundPayment, acme.member.actor, { payment_id, amount: 250 });
  return payment_id;
}

describe("an event that fits", () => {
  it.each<[string, () => Promise<string>, SimulatedEvent, string]>([
    ["confirms and authorizes", () => paidWith(challenged, byHand), "authorize", "authorized"],
    ["confirms and takes the money", () => paidWith(challenged), "capture", "paid"],
    ["declines instead of a confirmation", () => paidWith(challenged), "decline", "pending"],
    ["confirms, as its test card determines", () => paidWith(challenged), "settle", "paid"],
    ["declines, as its test card determines", () => paidWith(card("4000008400001629")), "settle", "pending"],
    ["captures an authorization", () => paidWith(goodCard, byHand), "capture", "paid"],
    ["brings an answer that was lost", () => paidWith(lost), "settle", "paid"],
    ["brings a lost authorization", () => paidWith(lost, byHand), "authorize", "authorized"],
    ["takes a payment that never arrived", () => neverReceived(), "settle", "paid"],
    ["authorizes a payment that never arrived", () => neverReceived(byHand), "settle", "authorized"],
    ["declines a payment that never arrived", () => neverReceived(), "decline", "pending"],
    ["completes a slow refund", () => refunded(card("4000000000007726")), "settle", "refunded"],
    ["fails a slow refund", () => refunded(card("4000000000007726")), "refund_fail", "paid"],
    ["fails a refund that has succeeded", () => refunded(goodCard), "refund_fail", "paid"],
    ["disputes a payment", () => paidWith(goodCard), "dispute", "disputed"],
    ["decides a dispute for the account", () => disputed(), "dispute_won", "paid"],
    ["decides a dispute for the customer", () => disputed(), "dispute_lost", "disputed"],
    ["disputes what was not refunded", () => partlyRefunded(), "dispute", "disputed"],
  ])("%s", async (_, begin, event, status) => {
    const id = await begin();
    expect(await fitting(id)).toContain(event);
    expect(await simulate(id, event)).toMatchObject({ payment_id: id, status });
    const before = await eventTypesOf(world, id);
    // Neither the jobs that are left nor the time that passes change anything.
    await runJobs(world);
    world.clock.advance(dayMs);
    await runJobs(world);
    expect(await eventTypesOf(world, id)).toEqual(before);
    await expectAgreement(id);
  });

  it("announces what it leads to, and leaves the reason of a decline", async () => {
    const id = await paidWith(challenged);
    expect(await simulate(id, "decline")).toMatchObject({ last_error: { code: "card_declined" } });
    expect(await eventTypesOf(world, id)).toContain("payment.attempt_failed");
  });

  it("is about one payer of a reusable link, not about the link", async () => {
    const { payment, token } = await askMany(world, acme.member.actor, { usage_limit: 2 });
    await payUse(world, token, challenged);
    expect(await fitting(payment.payment_id)).toEqual([]);
    const use = await world.runtime.db.read
      .select({ id: payments.id })
      .from(payments)
      .where(eq(payments.parentPaymentId, payment.payment_id));
    expect(await simulate(use[0]?.id ?? "", "capture")).toMatchObject({ status: "paid" });
  });

  it("carries out a capture that was decided and not made", async () => {
    const id = await paidWith(goodCard, byHand);
    await decideCapture(id, 400);
    expect(await fitting(id)).toEqual(["settle"]);
    expect(await refusalOf(simulate(id, "capture"))).toBe("event_not_possible");
    expect(await simulate(id, "settle")).toMatchObject({ status: "paid", amount_paid: 400, amount_released: 850 });
    await expectAgreement(id);
  });
});

describe("an event that does not fit", () => {
  it.each<[string, () => Promise<string>, SimulatedEvent[]]>([
    ["a new request", () => paidWith(null), []],
    ["a paid request", () => paidWith(goodCard), ["dispute"]],
    ["a declined one", () => paidWith(card("4000000000000002")), []],
    ["a refunded one", () => refunded(goodCard), ["refund_fail"]],
    ["a disputed one", () => disputed(), ["dispute_won", "dispute_lost"]],
    ["an authorization", () => paidWith(goodCard, byHand), ["capture"]],
    ["a confirmation", () => paidWith(challenged), ["capture", "decline", "settle"]],
    ["a confirmation, to be captured by hand", () => paidWith(challenged, byHand), ["authorize", "decline", "settle"]],
    ["money whose answer was lost", () => paidWith(lost), ["capture", "settle"]],
  ])("is refused and changes nothing: %s", async (_, begin, fits) => {
    const id = await begin();
    expect(await fitting(id)).toEqual(fits);
    const before = await records(id);
    for (const event of simulatedEvents) {
      if (!fits.includes(event)) expect(await refusalOf(simulate(id, event))).toBe("event_not_possible");
    }
    expect(await records(id)).toEqual(before);
  });

  it("is a capture after the authorization has lapsed", async () => {
    const id = await paidWith(goodCard, byHand);
    world.clock.advance(8 * dayMs);
    expect(await fitting(id)).toEqual([]);
    expect(await refusalOf(simulate(id, "capture"))).toBe("event_not_possible");
    await runJobs(world);
  });

  it("says what it needs", async () => {
    await expect(simulate(await paidWith(null), "refund_fail")).rejects.toThrow(/needs a refund/);
  });
});

it("waits for an advance of the clock that comes first", async () => {
  const id = await paidWith(challenged);
  await world.runtime.db.write(async (tx) => {
    await tx.update(sandboxClocks).set({ isRunning: true }).where(eq(sandboxClocks.organizationId, acme.id));
  });
  const simulated = simulate(id, "capture");
  await moveClock(world, admin, "PT1S");
  expect(await simulated).toMatchObject({ status: "paid" });
});

it("at once with others has one outcome, which our books and the sandbox's agree on", async () => {
  for (let round = 0; round < 5; round++) {
    const id = await paidWith(challenged);
    const events = ["capture", "decline", "settle", "decline"] as const;
    const ends = await Promise.allSettled([...events.map((event) => simulate(id, event)), runJobs(world)]);
    expect(ends.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(1);
    await expectAgreement(id);
  }
});

it("belongs to the organization's admins, and does not exist in live mode", async () => {
  const id = await paidWith(challenged);
  const other = await world.organization();
  const call = (actor: typeof admin) =>
    refusalOf(world.call(simulateEvent, actor, { payment_id: id, event: "settle" }));
  expect(await call(other.admin.actor)).toBe("payment_not_found");
  expect(await call(acme.member.actor)).toBe("insufficient_permissions");
  expect(await refusalOf(world.call(sandboxEvents, other.admin.actor, { payment_id: id }))).toBe("payment_not_found");
  await world.runtime.db.write(async (tx) => {
    await tx.update(organizations).set({ mode: "live" }).where(eq(organizations.id, acme.id));
  });
  expect(await call(admin)).toBe("unknown_path");
  expect(await refusalOf(world.call(sandboxEvents, admin, { payment_id: id }))).toBe("unknown_path");
});

const records = async (id: string) => [await transactionsOf(world, id), await eventTypesOf(world, id)];

/** Decides a capture whose call to the provider fails. */
async function decideCapture(payment_id: string, amount: number): Promise<void> {
  planFault("capture", "reset", "before");
  const { status } = await world.call(capturePayment, acme.member.actor, { payment_id, amount });
  expect(status).toBe("authorized");
}

/** The sandbox's rows and ours say the same. */
async function expectAgreement(paymentId: string): Promise<void> {
  for (const row of await transactionsOf(world, paymentId)) {
    const [made] = await world.runtime.db.read
      .select()
      .from(sandboxOperations)
      .where(eq(sandboxOperations.idempotencyKey, row.id));
    const captured = row.type === "refund" ? 0 : row.amountCaptured;
    expect([made?.reference, made?.amountCaptured]).toEqual([row.providerReference, captured]);
  }
}
