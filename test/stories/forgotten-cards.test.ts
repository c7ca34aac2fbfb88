// Stored cards are forgotten at their provider once nothing needs them, whatever happens to the call.
import { and, eq, ne } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { jobs, sandboxOperations, storedMethods, transactions } from "@/db/tables";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { getPayment } from "@/server/domains/payments/operations/get";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { forgetCard } from "@/server/domains/subscriptions/forget-card";
import { dayMs, hourMs, limits, minuteMs } from "@/server/kit/limits";
import { answerBank, cardLink, changeCardTo } from "@/test/card-links";
import { pass, runJobs } from "@/test/jobs";
import { cancelRequest } from "@/test/merchant";
import { expectSoundLedger } from "@/test/money";
import { ask, card, openPage, payWith, tokenOf, transactionsOf } from "@/test/payer";
import { arriveLate, forgetFault, planFault } from "@/test/provider-faults";
import { commandsOf, monthly, readOne, subscribe, subscriptionOf } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});
beforeEach(async () => {
  acme = await world.organization();
});

const actor = () => acme.member.actor;
const { cancel } = commandsOf(() => world, actor);

const cards = () =>
  world.runtime.db.read
    .select()
    .from(storedMethods)
    .where(eq(storedMethods.organizationId, acme.id))
    .orderBy(storedMethods.createdAt);

/** Whether the provider has each card that was entered, the oldest first. */
async function known(): Promise<boolean[]> {
  const found = await cards();
  const rows = await world.runtime.db.read.select().from(sandboxOperations);
  return found.map(({ id, transactionId }) => {
    const charge = rows.find(({ idempotencyKey }) => idempotencyKey === (transactionId ?? id));
    return (charge?.outcome as { stored?: object } | undefined)?.stored !== undefined;
  });
}

/** Gives the card or the charge this reference of a stored card, as a provider may. */
const setReference = (id = "", reference: string | null = null): Promise<void> =>
  world.runtime.db.write(async (tx) => {
    await tx.update(storedMethods).set({ providerReference: reference }).where(eq(storedMethods.id, id));
    await tx.update(transactions).set({ storedMethod: reference }).where(eq(transactions.id, id));
  });

it("that of a subscription that is canceled, and a charge of it is refused then", async () => {
  const { id } = await subscribe(world, actor());
  await runJobs(world);
  const [before] = await cards();
  expect(await known()).toEqual([true]);
  await cancel(id);
  await runJobs(world);
  expect(await known()).toEqual([false]);
  expect(await cards()).toMatchObject([{ status: "stored", providerReference: null }]);
  expect(await readOne(world, actor(), id)).toMatchObject({ payment_method: { last4: "4242" } });
  const request = { idempotencyKey: `txn_${id}`, amount: 100, currency: "EUR" };
  const methodReference = before?.providerReference ?? "";
  const charged = await sandboxProvider(world.runtime, false).chargeStored({ ...request, methodReference });
  expect(charged).toMatchObject({ status: "declined", failure: { code: "card_not_stored" } });
});

it("that of a subscription that ends by itself, but not while it goes on", async () => {
  const cycles = { interval: "day", interval_count: 1, cycles: 2 } as const;
  await subscribe(world, actor(), { subscription: cycles });
  await runJobs(world);
  expect(await known()).toEqual([true]);
  await pass(world, dayMs);
  await runJobs(world);
  expect(await known()).toEqual([false]);
});

it("that which another card replaces, with a link or on the page of a renewal", async () => {
  const { id } = await subscribe(world, actor(), {}, card("4000000000000341"));
  world.clock.advance(1);
  await changeCardTo(world, await cardLink(world, actor(), id), card("4000000000000341"));
  await runJobs(world);
  expect(await known()).toEqual([false, true]);
  await pass(world, 31 * dayMs);
  const { latest_payment_id: payment_id } = await readOne(world, actor(), id);
  await payWith(world, tokenOf((await world.call(getPayment, actor(), { payment_id })).payment_url));
  await runJobs(world);
  expect(await known()).toEqual([false, false, true]);
});

it("that which the customer confirms after nobody wants it any more", async () => {
  const terms = { type: "subscription", subscription: { ...monthly, trial_days: 10 } } as const;
  const { payment, token } = await ask(world, actor(), terms);
  await payWith(world, token, card("4000000000003220"));
  const { action_url: url } = await openPage(world, token);
  await answerBank(world, url).catch(() => undefined);
  await runJobs(world);
  expect(await known()).toEqual([true]);
  world.clock.advance(1);
  const { id } = await subscribe(world, actor());
  world.clock.advance(1);
  const link = await cardLink(world, actor(), id);
  const { action_url } = await changeCardTo(world, link, card("4000000000003220"));
  await cancel(id);
  await answerBank(world, action_url);
  await runJobs(world);
  expect(await known()).toEqual([true, false, false]);
  expect(payment.status).toBe("pending");
});

/** Sends a card whose charge reaches the provider only after it was given up. */
async function payTooLate(token: string, given?: ReturnType<typeof card>): Promise<void> {
  planFault("start", "reset", "late");
  await payWith(world, token, given);
  planFault("giveUp", "reset", "unkept");
  await pass(world, limits.charge.firstLookupMs);
}

async function arrive(): Promise<void> {
  await arriveLate();
  await pass(world, minuteMs);
}

it.each([
  ["active", monthly],
  ["trialing", { ...monthly, trial_days: 10 }],
] as const)("that of an attempt which arrives after another one has succeeded: %s", async (status, subscription) => {
  const { payment, token } = await ask(world, actor(), { type: "subscription", subscription });
  await payTooLate(token);
  world.clock.advance(1);
  await payWith(world, token);
  await arrive();
  expect(await known()).toEqual([false, true]);
  const [, second] = await cards();
  const row = await subscriptionOf(world, payment.payment_id);
  expect(row).toMatchObject({ status, methodId: second?.id });
});

it("that of an attempt which arrives on the page of a renewal after another one was paid", async () => {
  const { id } = await subscribe(world, actor(), {}, card("4000000000000341"));
  await pass(world, 31 * dayMs);
  const { latest_payment_id: payment_id } = await readOne(world, actor(), id);
  const token = tokenOf((await world.call(getPayment, actor(), { payment_id })).payment_url);
  await payTooLate(token);
  world.clock.advance(1);
  await payWith(world, token);
  await arrive();
  expect(await known()).toEqual([false, false, true]);
  const [, , newest] = await cards();
  expect((await subscriptionOf(world, (await readOne(world, actor(), id)).first_payment_id))?.methodId).toBe(
    newest?.id,
  );
});

it("that which arrives with a card link after another one was stored with it", async () => {
  const { id } = await subscribe(world, actor());
  world.clock.advance(1);
  const link = await cardLink(world, actor(), id);
  planFault("start", "reset", "late");
  await changeCardTo(world, link);
  planFault("giveUp", "reset", "unkept");
  await pass(world, limits.charge.firstLookupMs);
  world.clock.advance(1);
  await changeCardTo(world, link);
  await arrive();
  expect(await known()).toEqual([false, false, true]);
});

it("that of an attempt which waits for a confirmation when it arrives: the confirmation ends", async () => {
  const subscription = { ...monthly, trial_days: 10 };
  const { token } = await ask(world, actor(), { type: "subscription", subscription });
  await payTooLate(token, card("4000000000003220"));
  expect(await cards()).toMatchObject([{ status: "failed", attemptReference: null }]);
  await arrive();
  const isOwn = eq(sandboxOperations.idempotencyKey, (await cards())[0]?.id ?? "");
  const [charge] = await world.runtime.db.read.select().from(sandboxOperations).where(isOwn);
  expect(charge).toMatchObject({ status: "declined" });
  expect(await cards()).toMatchObject([{ status: "failed", attemptReference: charge?.reference }]);
  const [settled] = await cards();
  await arrive();
  expect(await cards()).toEqual([settled]);
});

it("that of a hold which is given back", async () => {
  const { payment, token } = await ask(world, actor(), {
    ...{ type: "subscription", subscription: monthly, capture_method: "manual" },
  });
  await payWith(world, token);
  expect(await cards()).toEqual([]);
  await cancelRequest(world, actor(), payment.payment_id);
  await runJobs(world);
  expect(await cards()).toMatchObject([{ providerReference: null }]);
  expect(await known()).toEqual([false]);
});

/** Two subscriptions whose cards have one reference, as a provider may give to a card that is entered twice. */
async function withOneReference(): Promise<{ id: string; payment_id: string }[]> {
  const both: { id: string; payment_id: string }[] = [];
  for (let i = 0; i < 2; i++) {
    const { id, payment } = await subscribe(world, actor());
    both.push({ id, payment_id: payment.payment_id });
    world.clock.advance(1);
  }
  const [first, second] = await cards();
  await setReference(second?.id, first?.providerReference);
  return both;
}

it("not while another subscription charges a card with the same reference", async () => {
  const [first, second] = await withOneReference();
  await cancel(first?.id ?? "");
  await runJobs(world);
  expect((await known())[0]).toBe(true);
  expect((await cards()).map(({ providerReference }) => providerReference !== null)).toEqual([false, true]);
  await pass(world, 31 * dayMs);
  expect(await readOne(world, actor(), second?.id ?? "")).toMatchObject({ status: "active", cycles_done: 2 });
  await cancel(second?.id ?? "");
  await runJobs(world);
  expect((await known())[0]).toBe(false);
  expect((await cards()).map(({ providerReference }) => providerReference)).toEqual([null, null]);
});

it("not while a charge that has stored it again may still be captured", async () => {
  const { id } = await subscribe(world, actor());
  const [kept] = await cards();
  const { payment, token } = await ask(world, actor(), {
    ...{ type: "subscription", subscription: monthly, capture_method: "manual" },
  });
  await payWith(world, token);
  const [hold] = await transactionsOf(world, payment.payment_id);
  await setReference(hold?.id, kept?.providerReference);
  await cancel(id);
  await runJobs(world);
  expect(await known()).toEqual([true]);
  await cancelRequest(world, actor(), payment.payment_id);
  await runJobs(world);
  expect((await known())[0]).toBe(false);
});

it("those of a customer who is erased", async () => {
  const customer = { email: `erased.${acme.id}@example.com` };
  const { id } = await subscribe(world, actor(), { customer });
  const { customer_id } = await readOne(world, actor(), id);
  await cancel(id);
  await world.runtime.db.write(async (tx) => {
    await tx.delete(jobs).where(eq(jobs.kind, "payments.forget_method"));
  });
  await runJobs(world);
  expect(await known()).toEqual([true]);
  await world.call(eraseCustomer, acme.admin.actor, { customer_id: customer_id ?? "" });
  await runJobs(world);
  expect(await known()).toEqual([false]);
});

it("all of a customer who is erased, however many are stored", async () => {
  const { id } = await subscribe(world, actor(), { customer: { email: `many.${acme.id}@example.com` } });
  const { customer_id } = await readOne(world, actor(), id);
  const [stored] = await cards();
  if (!stored) throw new Error("No card was stored.");
  await world.runtime.db.write(async (tx) => {
    for (let i = 0; i < limits.batch.erase.rows + 1; i++) {
      const own = {
        id: `${stored.id.slice(0, -3)}${String(i).padStart(3, "0")}`,
        transactionId: null,
        attemptKey: null,
      };
      await tx.insert(storedMethods).values({ ...stored, ...own, providerReference: `old_${i}` });
    }
  });
  await cancel(id);
  await runJobs(world);
  await world.call(eraseCustomer, acme.admin.actor, { customer_id: customer_id ?? "" });
  await runJobs(world);
  expect((await cards()).filter(({ providerReference }) => providerReference !== null)).toEqual([]);
  // They belong to no attempt, which the proof of the ledger would miss.
  await world.runtime.db.write(async (tx) => {
    await tx
      .delete(storedMethods)
      .where(and(eq(storedMethods.organizationId, acme.id), ne(storedMethods.id, stored.id)));
  });
});

it.each([
  ["before", false],
  ["after", true],
] as const)("even if the call is lost %s its effect, and when it is repeated", async (moment, isForgotten) => {
  const { id } = await subscribe(world, actor());
  await cancel(id);
  planFault("forget", "reset", moment);
  await runJobs(world);
  expect(forgetFault()).toBe(false);
  expect(await known()).toEqual([!isForgotten]);
  const [method] = await cards();
  expect(method?.providerReference).not.toBeNull();
  await pass(world, hourMs);
  expect(await known()).toEqual([false]);
  for (let again = 0; again < 2; again++) expect(await forgetCard(world.runtime, method?.id ?? "")).toBeUndefined();
  expect(await cards()).toMatchObject([{ providerReference: null }]);
});

it("not while a charge of it is under way, which is settled first", async () => {
  // The fault must strike this charge, and none of another organization.
  const shared = [world, acme] as const;
  world = await openWorld();
  acme = await world.organization();
  const { id } = await subscribe(world, actor());
  await runJobs(world);
  planFault("chargeStored", "reset", "late");
  await pass(world, 31 * dayMs);
  await cancel(id);
  await runJobs(world);
  expect(await known()).toEqual([true]);
  await pass(world, minuteMs);
  await pass(world, 10 * minuteMs);
  expect(await known()).toEqual([false]);
  expect(await readOne(world, actor(), id)).toMatchObject({ status: "canceled", cycles_done: 1 });
  await world.close();
  [world, acme] = shared;
});
