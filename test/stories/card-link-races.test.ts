// The card link of a subscription at the same time as its renewal, its end, a second tab and a second link.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { storedMethods, subscriptions } from "@/db/tables";
import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { createPayment } from "@/server/domains/payments/operations/create";
import { getPayment } from "@/server/domains/payments/operations/get";
import { createCardLink } from "@/server/domains/subscriptions/operations/card-link";
import { cancelSubscription } from "@/server/domains/subscriptions/operations/change";
import { runSubscription } from "@/server/domains/subscriptions/run";
import { dayMs, minuteMs } from "@/server/kit/limits";
import { together } from "@/test/at-once";
import { answerBank, cardFormToken, cardLink, changeCardTo, openCardPage, submitCard } from "@/test/card-links";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { card, goodCard, openPage, payWith, tokenOf, transactionsOf } from "@/test/payer";
import { planFault } from "@/test/provider-faults";
import { cyclesOf, readOne, refuseForGood, subscribe } from "@/test/subscriber";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
/** Calls come from two processes if the engine supports several. */
let processes: World[];
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  processes = dialect === "postgres" ? [world, await anotherProcess(world)] : [world];
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  for (const one of processes.toReversed()) await one.close();
});

const actor = () => acme.member.actor;
const read = (id: string) => readOne(world, actor(), id);
const run = (id: string) => (from: World) => runSubscription(from.runtime, id);
const cancel = (id: string) => (from: World) =>
  from.call(cancelSubscription, actor(), { subscription_id: id, at: "now" });
const thirtyDays = { subscription: { interval: "day", interval_count: 30 } } as const;
const other = card("5555555555554444");
const challenged = card("4000000000003220");

/** The cards that the customer of the subscription has stored, and the attempts to. */
const methodsOf = (paymentId: string) =>
  world.runtime.db.read.select().from(storedMethods).where(eq(storedMethods.paymentId, paymentId));

describe.each([1, 2, 3])("a change of the card, round %i", () => {
  it("and a renewal at the same second agree: one charge, to the card before or after", async () => {
    const { id } = await subscribe(world, actor(), thirtyDays);
    const token = await cardLink(world, actor(), id);
    world.clock.advance(30 * dayMs - 1000);
    const next = await cardLink(world, actor(), id);
    const form = await cardFormToken(world, next);
    world.clock.advance(1000);
    const change = (from: World) => submitCard(from, next, form, other);
    expect(await together(processes, run(id), change, run(id), change)).toEqual(["done", "done", "done", "done"]);
    world.clock.advance(31_000);
    await runJobs(world);
    const row = await read(id);
    expect(row).toMatchObject({ status: "active", cycles_done: 2, payment_method: { last4: "4444" } });
    const charges = await transactionsOf(world, row.latest_payment_id);
    expect(charges.map(({ paymentMethod }) => paymentMethod?.last4)).toEqual([expect.stringMatching(/^(4242|4444)$/)]);
    expect((await openCardPage(world, token)).state).toBe("over");
  });

  it("in two tabs stores one card: the second tab is refused, or shows that it is done", async () => {
    const { id, payment } = await subscribe(world, actor());
    const token = await cardLink(world, actor(), id);
    const [first, second] = [await cardFormToken(world, token), await cardFormToken(world, token)];
    const answers = await together(
      processes,
      (from) => submitCard(from, token, first, other),
      (from) => submitCard(from, token, second, goodCard),
      (from) => submitCard(from, token, first, other),
    );
    expect(answers.filter((one) => one === "invalid_subscription_state").length).toBeGreaterThan(0);
    const stored = (await methodsOf(payment.payment_id)).filter(
      ({ cardLink: by, status }) => by !== null && status === "stored",
    );
    expect(stored).toHaveLength(1);
    expect((await openCardPage(world, token)).state).toBe("changed");
  });

  it("and a cancelation agree: the card of a canceled subscription stays as it was", async () => {
    const { id } = await subscribe(world, actor());
    const token = await cardLink(world, actor(), id);
    const { action_url } = await changeCardTo(world, token, challenged);
    await together(processes, cancel(id), (from) => answerBank(from, action_url), cancel(id));
    const [row] = await world.runtime.db.read.select().from(subscriptions).where(eq(subscriptions.id, id));
    const [method] = await world.runtime.db.read
      .select()
      .from(storedMethods)
      .where(eq(storedMethods.id, row?.methodId ?? ""));
    expect(row?.status).toBe("canceled");
    expect(["4242", "3220"]).toContain(method?.paymentMethod?.last4);
    expect((await openCardPage(world, token)).state).toBe("over");
  });

  it("and a merge agree about whose card it is", async () => {
    const { id } = await subscribe(world, actor(), { customer: { email: `one.${acme.id}@example.com` } });
    const customer_id = (await read(id)).customer_id ?? "";
    const survivor = await world.call(createPayment, actor(), {
      ...({ type: "product", amount: 100, currency: "EUR" } as const),
      customer: { email: `two.${acme.id}@example.com` },
    });
    const into_customer_id = survivor.customer?.customer_id ?? "";
    const token = await cardLink(world, actor(), id);
    const form = await cardFormToken(world, token);
    const answers = await together(
      processes,
      (from) => submitCard(from, token, form, other),
      (from) => from.call(mergeCustomer, actor(), { customer_id, into_customer_id }),
    );
    expect(answers[1]).toBe("done");
    expect((await read(id)).customer_id).toBe(into_customer_id);
    expect((await openCardPage(world, token)).state).toBe("over");
    await expectSoundLedger(world);
  });

  it("with a link asked for twice works with one of the two links", async () => {
    const { id } = await subscribe(world, actor());
    const tokens: string[] = [];
    const ask = async (from: World) => {
      const { url } = await from.call(createCardLink, actor(), { subscription_id: id });
      tokens.push(url?.split("/").at(-1) ?? "");
    };
    expect(await together(processes, ask, ask)).toEqual(["done", "done"]);
    const states = await Promise.all(tokens.map(async (token) => (await openCardPage(world, token)).state));
    expect(states.sort()).toEqual(["open", "over"]);
  });
});

it.each(["canceled", "replaced"] as const)(
  "a card that is confirmed after its link was %s is not kept",
  async (how) => {
    const { id, payment } = await subscribe(world, actor());
    const token = await cardLink(world, actor(), id);
    const { action_url } = await changeCardTo(world, token, challenged);
    const next = how === "replaced" ? await cardLink(world, actor(), id) : null;
    if (how === "canceled") await cancel(id)(world);
    const { return_url } = await answerBank(world, action_url);
    // Who has the earlier link must not learn the newer one.
    expect(return_url).toBe(`http://localhost:3000/card/${how === "canceled" ? token : "over"}`);
    expect((await openCardPage(world, token)).state).toBe("over");
    await runJobs(world);
    const attempt = (await methodsOf(payment.payment_id)).find((one) => one.cardLink !== null);
    expect(attempt).toMatchObject({ status: "failed", providerReference: null, failure: { code: "canceled" } });
    expect((await read(id)).payment_method).toMatchObject({ last4: "4242" });
    if (next !== null) expect((await openCardPage(world, next)).state).toBe("open");
  },
);

it("a lost answer is settled by the look-up", async () => {
  const { id } = await subscribe(world, actor());
  const token = await cardLink(world, actor(), id);
  await changeCardTo(world, token, { ...card("4000000000000119"), security_code: "998" });
  expect((await openCardPage(world, token)).state).toBe("processing");
  world.clock.advance(31_000);
  await runJobs(world);
  expect((await openCardPage(world, token)).state).toBe("changed");
  expect((await read(id)).payment_method).toMatchObject({ last4: "0119" });
});

/** A subscription that began some days ago, whose card the bank refuses for good since then. */
async function withStolenCard(days = 30) {
  const begun = await subscribe(world, actor(), thirtyDays);
  await refuseForGood(world, begun.payment.payment_id);
  world.clock.advance(days * dayMs);
  return begun.id;
}

/** The token of a payment request's page. */
const pageOf = async (payment_id: string) =>
  tokenOf((await world.call(getPayment, actor(), { payment_id })).payment_url);

/** Charges the stored card; the answer is lost. */
async function chargeUnheard(id: string): Promise<void> {
  const charged = planFault("chargeStored", "reset", "after");
  await runSubscription(world.runtime, id);
  await charged;
}

/** Does something as a process does whose clock is a minute ahead. */
async function ahead<T>(act: () => Promise<T>): Promise<T> {
  world.clock.advance(minuteMs);
  const done = await act();
  world.clock.advance(-minuteMs);
  return done;
}

describe("a bank that refuses the card before for good says nothing about a card that meanwhile", () => {
  const chargedNextDay = async (id: string) => {
    world.clock.advance(31_000);
    await runJobs(world);
    expect(await read(id)).toMatchObject({ status: "past_due", payment_method: { last4: "4444" } });
    const { cycles_done } = await read(id);
    world.clock.advance(dayMs);
    await runJobs(world);
    expect((await read(id)).cycles_done).toBeGreaterThan(cycles_done);
  };

  it("was stored with a link", async () => {
    const id = await withStolenCard();
    const token = await cardLink(world, actor(), id);
    await chargeUnheard(id);
    await changeCardTo(world, token, other);
    await chargedNextDay(id);
  });

  it("was stored with a link by a process whose clock is behind", async () => {
    const id = await withStolenCard();
    const token = await cardLink(world, actor(), id);
    await ahead(() => chargeUnheard(id));
    await changeCardTo(world, token, other);
    world.clock.advance(minuteMs);
    await chargedNextDay(id);
  });

  it("paid a missed period on its page", async () => {
    const id = await withStolenCard(75);
    // The second period is missed, and the third one charged.
    await runSubscription(world.runtime, id);
    await chargeUnheard(id);
    const missed = (await cyclesOf(world, id)).find((one) => one.isMissed);
    await payWith(world, await pageOf(missed?.paymentId ?? ""), other);
    await chargedNextDay(id);
  });
});

it("a card that the bank refuses for good by a late answer is not charged again", async () => {
  const id = await withStolenCard();
  await chargeUnheard(id);
  world.clock.advance(31_000);
  await runJobs(world);
  world.clock.advance(2 * dayMs);
  await runJobs(world);
  const { latest_payment_id, status } = await read(id);
  expect(status).toBe("past_due");
  expect(await transactionsOf(world, latest_payment_id)).toHaveLength(1);
});

it("a card in place of one that the bank refused for good is charged", async () => {
  const id = await withStolenCard();
  await runSubscription(world.runtime, id);
  const { latest_payment_id: payment_id, status } = await read(id);
  expect(status).toBe("past_due");
  await world.call(cancelPayment, actor(), { payment_id });
  await changeCardTo(world, await cardLink(world, actor(), id), other);
  world.clock.advance(30 * dayMs);
  await runSubscription(world.runtime, id);
  expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
});

describe("a payment that was under way on a page when another card was stored", () => {
  /** A subscription with a missed period and one that its card did not pay. */
  const unpaid = async () => {
    const { id } = await subscribe(world, actor(), thirtyDays, card("4000000000000341"));
    world.clock.advance(75 * dayMs);
    await runJobs(world);
    expect((await read(id)).status).toBe("past_due");
    const [, missed, latest] = await cyclesOf(world, id);
    return { id, missed: await pageOf(missed?.paymentId ?? ""), latest: await pageOf(latest?.paymentId ?? "") };
  };
  const last4 = async (id: string) => (await read(id)).payment_method?.last4;

  it("with a link does not bring its card back once the bank has confirmed it", async () => {
    const { id, latest } = await unpaid();
    await payWith(world, latest, challenged);
    const token = await cardLink(world, actor(), id);
    await changeCardTo(world, token, other);
    expect(await last4(id)).toBe("4444");
    await answerBank(world, (await openPage(world, latest)).action_url);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2, payment_method: { last4: "4444" } });
    expect((await openCardPage(world, token)).subscription?.card?.last4).toBe("4444");
  });

  it("is known whatever the clocks show", async () => {
    const { id, latest } = await unpaid();
    await ahead(() => payWith(world, latest, challenged));
    await changeCardTo(world, await cardLink(world, actor(), id), other);
    await answerBank(world, (await openPage(world, latest)).action_url);
    expect(await last4(id)).toBe("4444");
  });

  it("with a link does not bring it back by a look-up", async () => {
    const { id, latest } = await unpaid();
    await payWith(world, latest, { ...card("4000000000000119"), security_code: "998" });
    await changeCardTo(world, await cardLink(world, actor(), id), other);
    world.clock.advance(31_000);
    await runJobs(world);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2, payment_method: { last4: "4444" } });
  });

  it("in another tab does not bring it back", async () => {
    const { id, missed, latest } = await unpaid();
    await payWith(world, missed, challenged);
    await payWith(world, latest, other);
    expect(await last4(id)).toBe("4444");
    await answerBank(world, (await openPage(world, missed)).action_url);
    expect(await read(id)).toMatchObject({ cycles_done: 3, payment_method: { last4: "4444" } });
  });

  it("but began after that stores its own card", async () => {
    const { id, missed, latest } = await unpaid();
    await payWith(world, latest, other);
    world.clock.advance(1);
    await payWith(world, missed, challenged);
    await answerBank(world, (await openPage(world, missed)).action_url);
    expect(await last4(id)).toBe("3220");
  });

  it("but began after that on a process whose clock is behind stores its own card", async () => {
    const { id, missed, latest } = await unpaid();
    await ahead(() => payWith(world, latest, other));
    await payWith(world, missed, challenged);
    await answerBank(world, (await openPage(world, missed)).action_url);
    expect(await last4(id)).toBe("3220");
  });
});
