// The rules of subscriptions: who may do what when, and what becomes of one when something else changes.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  auditEntries,
  events,
  mails,
  payments,
  sandboxOperations,
  storedMethods,
  subscriptionCycles,
  subscriptions,
} from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { removeUser } from "@/server/domains/closing/operations/remove-user";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { updateOrganizationSettings } from "@/server/domains/onboarding/operations/organization-settings";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { answerChallenge } from "@/server/domains/payments/operations/challenge";
import { createPayment } from "@/server/domains/payments/operations/create";
import { extendPayment } from "@/server/domains/payments/operations/extend";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { listSubscriptions } from "@/server/domains/subscriptions/operations/read";
import { updateSubscriptionFields } from "@/server/domains/subscriptions/operations/update";
import { dayMs } from "@/server/kit/limits";
import { refund } from "@/test/credit";
import { runJobs } from "@/test/jobs";
import { askMany, payUse } from "@/test/link-payer";
import { expectSoundLedger } from "@/test/money";
import { anyone, ask, card, openPage, paymentRow, payWith, transactionsOf } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { commandsOf, confirmOn, cyclesOf, monthly, readOne, subscribe, subscriptionOf } from "@/test/subscriber";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

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
const read = (id: string) => readOne(world, actor(), id);
const pass = (duration: string) => moveClock(world, acme.admin.actor, duration);
const command = commandsOf(() => world, actor);
const daily = { interval: "day", interval_count: 1 } as const;

describe("a payment request of type subscription", () => {
  it.each([
    ["a trial without terms", { type: "subscription", subscription: undefined }],
    ["a trial of a product", { type: "product", subscription: { ...monthly, trial_days: 3 } }],
    ["a trial of no day", { type: "subscription", subscription: { ...monthly, trial_days: 0 } }],
    [
      "a trial with a hold",
      { type: "subscription", capture_method: "manual", subscription: { ...monthly, trial_days: 3 } },
    ],
    ["a trial of a link", { type: "subscription", usage_limit: null, subscription: { ...monthly, trial_days: 3 } }],
    ["no cycle", { type: "subscription", subscription: { ...monthly, cycles: 0 } }],
  ] as const)("is refused with %s", async (_, fields) => {
    const input = { amount: 1000, currency: "EUR", ...fields } as Parameters<typeof ask>[2];
    expect(await refusalOf(ask(world, actor(), input))).toBe("invalid_request");
  });

  it("begins a subscription with its first attempt, which ends if nothing comes of it", async () => {
    const asked = await ask(world, actor(), { type: "subscription", subscription: monthly });
    const id = asked.payment.payment_id;
    expect(await subscriptionOf(world, id)).toBeUndefined();
    await payWith(world, asked.token, card("4000000000000002"));
    expect(await subscriptionOf(world, id)).toMatchObject({ status: "incomplete", nextChargeAt: null });
    await world.call(cancelPayment, actor(), { payment_id: id });
    expect(await subscriptionOf(world, id)).toMatchObject({ status: "ended", endReason: "incomplete" });
  });

  it("begins another one if it is extended and paid after it had expired", async () => {
    const asked = await ask(world, actor(), { type: "subscription", subscription: monthly });
    await payWith(world, asked.token, card("4000000000000002"));
    const first = await subscriptionOf(world, asked.payment.payment_id);
    await pass("P31D");
    expect(await read(first?.id ?? "")).toMatchObject({ status: "ended", end_reason: "incomplete" });
    const expires_at = new Date(Date.parse((await read(first?.id ?? "")).ended_at ?? "") + 9 * dayMs).toISOString();
    await world.call(extendPayment, actor(), { payment_id: asked.payment.payment_id, expires_at });
    await payWith(world, asked.token);
    const second = await subscriptionOf(world, asked.payment.payment_id);
    expect(second).toMatchObject({ status: "active" });
    expect(second?.id).not.toBe(first?.id);
  });

  it("stores the card of a trial after a confirmation, and takes no money", async () => {
    const terms = { ...monthly, trial_days: 10 };
    const { id, payment, token } = await subscribe(world, actor(), { subscription: terms }, card("4000000000003220"));
    expect(await read(id)).toMatchObject({ status: "incomplete" });
    expect((await openPage(world, token)).state).toBe("requires_action");
    await confirmOn(world, token);
    expect(await read(id)).toMatchObject({ status: "trialing", payment_method: { last4: "3220" } });
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
    expect((await openPage(world, token)).state).toBe("paid");
    await pass("P10D");
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 1 });
  });

  it("shows a declined card of a trial, ends a confirmation that nobody gave, and takes no money otherwise", async () => {
    const terms = { ...monthly, trial_days: 10 };
    const customer = { name: "Ada" };
    const asked = await ask(world, actor(), { type: "subscription", subscription: terms, customer });
    const { payment_id } = asked.payment;
    expect(asked.payment).toMatchObject({ amount: 1250, amount_due: 0, status: "pending" });
    const offline = { payment_id, method: "cash", reason: "paid at the counter" } as const;
    for (const more of [{}, { amount: 100 }, { amount: 100, overpayment: "credit" as const }]) {
      expect(await refusalOf(world.call(markPaid, actor(), { ...offline, ...more }))).toBe("amount_too_large");
    }
    await payWith(world, asked.token, card("4000000000009995"));
    expect(await openPage(world, asked.token)).toMatchObject({
      ...{ state: "open", last_error_code: "insufficient_funds" },
    });
    await payWith(world, asked.token, card("4000000000003220"));
    await pass("PT16M");
    expect(await openPage(world, asked.token)).toMatchObject({ state: "open" });
    await payWith(world, asked.token);
    expect(await subscriptionOf(world, payment_id)).toMatchObject({ status: "trialing" });
  });

  it("expires a trial whose card waits for its confirmation, at its instant", async () => {
    const expires_at = new Date(world.clock.now() + 10 * 60_000).toISOString();
    const terms = { type: "subscription", subscription: { ...monthly, trial_days: 10 }, expires_at } as const;
    const { payment, token } = await ask(world, actor(), terms);
    await payWith(world, token, card("4000000000003220"));
    world.clock.advance(10 * 60_000);
    await runJobs(world);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ status: "expired" });
  });

  it.each([
    ["before", "canceled"],
    ["after", "authentication_abandoned"],
  ] as const)("keeps no card of a trial that was canceled, confirmed %s the look-up", async (when, code) => {
    const terms = { ...monthly, trial_days: 10 };
    const { id, payment, token } = await subscribe(world, actor(), { subscription: terms }, card("4000000000003220"));
    const { payment_id } = payment;
    const reference = (await openPage(world, token)).action_url?.split("/").at(-1) ?? "";
    await command.cancel(id);
    const look = () => runJobs(world);
    const confirm = () => world.call(answerChallenge, anyone, { reference, answer: "complete" });
    for (const step of when === "before" ? [confirm, look] : [look, confirm]) await step();
    const [method] = await world.runtime.db.read
      .select()
      .from(storedMethods)
      .where(eq(storedMethods.paymentId, payment_id));
    expect(method).toMatchObject({ status: "failed", providerReference: null, failure: { code } });
    expect(await paymentRow(world, payment_id)).toMatchObject({ status: "canceled", paidAt: null });
    expect(await read(id)).toMatchObject({ status: "canceled", payment_method: null });
  });

  it("never renews if it was paid before subscriptions existed", async () => {
    const { id, payment } = await subscribe(world, actor());
    await world.runtime.db.write(async (tx) => {
      await tx.delete(subscriptionCycles).where(eq(subscriptionCycles.subscriptionId, id));
      await tx.update(payments).set({ subscriptionId: null }).where(eq(payments.id, payment.payment_id));
      await tx.delete(subscriptions).where(eq(subscriptions.id, id));
    });
    const [charge] = await transactionsOf(world, payment.payment_id);
    await refund(world, actor(), charge?.id ?? "", 100);
    await pass("P2M");
    expect(await subscriptionOf(world, payment.payment_id)).toBeUndefined();
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ subscriptionId: null });
  });

  it("that was paid in cash asks its customer again each period", async () => {
    const customer = { email: `cash.${acme.id}@example.com` };
    const asked = await ask(world, actor(), { type: "subscription", subscription: monthly, customer });
    const { payment_id } = asked.payment;
    await world.call(markPaid, actor(), { payment_id, method: "cash", reason: "paid at the counter" });
    const begun = await subscriptionOf(world, payment_id);
    expect(begun).toMatchObject({ status: "active", methodId: null });
    await pass("P30D");
    const row = await read(begun?.id ?? "");
    expect(row).toMatchObject({ status: "past_due", payment_method: null });
    expect(await transactionsOf(world, row.latest_payment_id)).toEqual([]);
    const sent = await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, row.latest_payment_id));
    expect(sent.map(({ kind }) => kind)).toEqual(["renewal_failed"]);
  });

  it("of a link of the sandbox never mails whom a payer typed, nor when a renewal fails or is paid or refunded", async () => {
    const { token } = await askMany(world, actor(), { type: "subscription", subscription: daily });
    await payUse(world, token, { ...card("4000000000000341"), email: `stranger.${acme.id}@example.com` });
    await payUse(world, token, { email: `other.${acme.id}@example.com` });
    await pass("P2D");
    const { data } = await world.call(listSubscriptions, actor(), {});
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set(["active", "past_due"]));
    const paid = data.find(({ status }) => status === "active")?.latest_payment_id ?? "";
    await world.call(refundPayment, actor(), { payment_id: paid });
    const sent = await world.runtime.db.read.select().from(mails).where(eq(mails.organizationId, acme.id));
    expect(sent.map(({ kind, toAddress }) => [kind, toAddress])).toEqual([]);
  });

  it("tells the customer as it is now that the trial ends", async () => {
    const customer = { email: `old.${acme.id}@example.com` };
    const { id } = await subscribe(world, actor(), { customer, subscription: { ...monthly, trial_days: 10 } });
    const { customer_id } = await read(id);
    const email = `new.${acme.id}@example.com`;
    await world.call(updateCustomerFields, actor(), { customer_id: customer_id ?? "", email });
    await pass("P10D");
    const sent = await world.runtime.db.read.select().from(mails).where(eq(mails.organizationId, acme.id));
    expect(sent.map(({ kind, toAddress }) => [kind, toAddress]).sort()).toEqual([
      ["payment_receipt", email],
      ["trial_ending", email],
    ]);
  });

  it.each([
    ["and is not told of a trial that ends with the subscription", false],
    ["but of one that goes on after all", true],
  ])("tells the customer %s", async (_, isKept) => {
    const customer = { email: `ending.${acme.id}@example.com` };
    const { id } = await subscribe(world, actor(), { customer, subscription: { ...monthly, trial_days: 10 } });
    await command.cancel(id, "period_end");
    await pass("P8D");
    if (isKept) await command.keep(id);
    await pass("P1D");
    const { read: q } = world.runtime.db;
    const sent = await q.select().from(mails).where(eq(mails.organizationId, acme.id));
    expect(sent.map(({ kind }) => kind).sort()).toEqual(
      isKept ? ["subscription_ending", "subscription_kept", "trial_ending"] : ["subscription_ending"],
    );
    const told = await q.select().from(events).where(eq(events.objectId, id));
    expect(told.some(({ type }) => type === "subscription.trial_ending")).toBe(isKept);
    await pass("P1D");
    expect(await read(id)).toMatchObject({ status: isKept ? "active" : "canceled" });
  });

  it("of a link makes one subscription for each payer", async () => {
    const { token } = await askMany(world, actor(), { type: "subscription", subscription: daily });
    await payUse(world, token);
    await payUse(world, token);
    const { data } = await world.call(listSubscriptions, actor(), {});
    expect(data.map(({ status }) => status)).toEqual(["active", "active"]);
    await pass("P2D");
    const later = await world.call(listSubscriptions, actor(), { status: ["active"] });
    expect(later.data.map(({ cycles_done }) => cycles_done)).toEqual([3, 3]);
  });
});

describe("a command", () => {
  it("is refused in a status that it does not fit", async () => {
    const { id } = await subscribe(world, actor());
    expect(await refusalOf(command.resume(id))).toBe("invalid_subscription_state");
    await command.pause(id);
    expect(await refusalOf(command.pause(id))).toBe("invalid_subscription_state");
    await command.resume(id);
    await command.cancel(id, "period_end");
    expect(await refusalOf(command.cancel(id, "period_end"))).toBe("invalid_subscription_state");
    expect(await command.cancel(id)).toMatchObject({ status: "canceled" });
    for (const again of [command.cancel, command.pause, command.resume, () => command.amount(id, 1)]) {
      expect(await refusalOf(again(id))).toBe("invalid_subscription_state");
    }
    expect(await refusalOf(command.cancel("sub_00000000000000000000000000"))).toBe("subscription_not_found");
  });

  it.each(["P-1D", "P367D"])("pauses no longer than a year, and not until yesterday: %s", async (duration) => {
    const { id } = await subscribe(world, actor());
    const at = duration === "P-1D" ? -dayMs : 367 * dayMs;
    expect(await refusalOf(command.pause(id, new Date(world.clock.now() + at).toISOString()))).toBe("invalid_request");
  });

  it("pauses until a time that it names, and charges nothing for the pause", async () => {
    const { id } = await subscribe(world, actor(), { subscription: daily });
    await command.pause(id, new Date(world.clock.now() + 5.5 * dayMs).toISOString());
    await pass("P5D");
    expect(await read(id)).toMatchObject({ status: "paused", cycles_done: 1 });
    await pass("P1D");
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2, resume_at: null });
  });

  it("cancels at the end of the period, and before it nothing changes", async () => {
    const { id } = await subscribe(world, actor());
    expect(await command.cancel(id, "period_end")).toMatchObject({ status: "active", cancel_at_period_end: true });
    await pass("P29D");
    expect(await read(id)).toMatchObject({ status: "active" });
    await pass("P1D");
    expect(await read(id)).toMatchObject({ status: "canceled", cycles_done: 1 });
  });

  it("takes a cancelation at the end of the period back, and then goes on", async () => {
    const { id } = await subscribe(world, actor());
    await command.cancel(id, "period_end");
    expect(await command.keep(id)).toMatchObject({ status: "active", cancel_at_period_end: false });
    expect(await refusalOf(command.keep(id))).toBe("invalid_subscription_state");
    const { read: q } = world.runtime.db;
    const told = await q.select().from(events).where(eq(events.objectId, id)).orderBy(events.sequence);
    const before = { previous_cancel_at_period_end: true };
    expect(told.at(-1)).toMatchObject({
      type: "subscription.updated",
      data: { cancel_at_period_end: false, ...before },
    });
    const kept = await q.select().from(auditEntries).where(eq(auditEntries.targetId, id));
    expect(kept.map(({ detail }) => detail)).toContainEqual({ cancel_at_period_end: false });
    await pass("P30D");
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
  });

  it("resumes one that is paused and ends with its period, and takes the cancelation back only when asked to", async () => {
    const { id } = await subscribe(world, actor());
    await command.cancel(id, "period_end");
    await command.pause(id);
    expect(await command.resume(id)).toMatchObject({ status: "active", cancel_at_period_end: true });
    expect(await refusalOf(command.resume(id))).toBe("invalid_subscription_state");
    expect(await command.keep(id)).toMatchObject({ status: "active", cancel_at_period_end: false });
  });

  it("cancels what is not paid yet, and a subscription that has no period", async () => {
    const { id } = await subscribe(world, actor(), {}, card("4000000000000341"));
    await pass("P30D");
    const { latest_payment_id } = await read(id);
    await command.cancel(id);
    expect((await paymentRow(world, latest_payment_id)).status).toBe("canceled");
    const asked = await ask(world, actor(), { type: "subscription", subscription: monthly });
    await payWith(world, asked.token, card("4000000000000002"));
    const begun = (await subscriptionOf(world, asked.payment.payment_id))?.id ?? "";
    expect(await refusalOf(command.cancel(begun, "period_end"))).toBe("invalid_subscription_state");
    expect(await command.cancel(begun)).toMatchObject({ status: "canceled" });
    expect((await openPage(world, asked.token)).state).toBe("canceled");
  });

  it("changes the amount of what does not exist yet, and metadata by keys", async () => {
    const { id, payment } = await subscribe(world, actor(), { metadata: { a: "1", b: "2" } });
    const change = { subscription_id: id, amount: 900, metadata: { a: null, c: "3" } };
    expect(await world.call(updateSubscriptionFields, actor(), change)).toMatchObject({
      ...{ amount: 900, metadata: { b: "2", c: "3" } },
    });
    expect((await paymentRow(world, payment.payment_id)).amount).toBe(1250);
    await pass("P30D");
    expect((await cyclesOf(world, id)).map(({ amount }) => amount)).toEqual([1250, 900]);
    expect(await refusalOf(command.amount(id, 0))).toBe("invalid_request");
  });
});

describe("the card", () => {
  it("that the bank refuses for good is not charged again, but the page stays open", async () => {
    const { id, payment } = await subscribe(world, actor(), { subscription: daily });
    const [charge] = await transactionsOf(world, payment.payment_id);
    const decline = { code: "stolen_card", message: "The card was reported stolen." };
    await world.runtime.db.write(async (tx) => {
      const of = eq(sandboxOperations.reference, charge?.providerReference ?? "");
      const [row] = await tx.select().from(sandboxOperations).where(of);
      await tx
        .update(sandboxOperations)
        .set({ outcome: { ...row?.outcome, stored: { decline } } })
        .where(of);
    });
    await pass("P3D");
    const { status, latest_payment_id } = await read(id);
    expect(status).toBe("past_due");
    expect(await transactionsOf(world, latest_payment_id)).toHaveLength(1);
    expect((await paymentRow(world, latest_payment_id)).status).toBe("pending");
    await pass("P10D");
    expect(await read(id)).toMatchObject({ status: "ended", end_reason: "payment_failed" });
  });

  it("that has expired is declined, and the last cycle completes the subscription", async () => {
    const short = { ...card("4242424242424242"), expiry: "12/26" };
    const { id } = await subscribe(world, actor(), { subscription: { ...monthly, cycles: 2 } }, short);
    await pass("P30D");
    expect(await read(id)).toMatchObject({ status: "ended", end_reason: "completed", cycles_done: 2 });
    const next = await subscribe(world, actor(), {}, short);
    await pass("P32D");
    expect(await read(next.id)).toMatchObject({ status: "past_due" });
  });
});

describe("what else changes", () => {
  it("lets it go on: the renewal that is not paid is canceled", async () => {
    const { id } = await subscribe(world, actor(), {}, card("4000000000000341"));
    await pass("P30D");
    const { latest_payment_id: payment_id } = await read(id);
    await world.call(cancelPayment, actor(), { payment_id });
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 1 });
    await pass("P8D");
    expect(await read(id)).toMatchObject({ status: "active" });
  });

  it("ends a subscription: its account is closed", async () => {
    const { id } = await subscribe(world, actor());
    await world.call(closeAccount, acme.admin.actor, { account_id: acme.member.accountId });
    expect(await readOne(world, acme.admin.actor, id)).toMatchObject({ status: "canceled" });
    await pass("P2M");
    expect(await cyclesOf(world, id)).toHaveLength(1);
  });

  it("lets it wait: its account has no owner until an admin gives it one", async () => {
    const { id } = await subscribe(world, actor(), { subscription: daily });
    await world.call(removeUser, acme.admin.actor, { user_id: acme.member.id });
    await pass("P3D");
    expect(await cyclesOf(world, id)).toHaveLength(1);
    const owner = { account_id: acme.member.accountId, owner_user_id: acme.other.id };
    await world.call(updateAccount, acme.admin.actor, owner);
    await pass("P1D");
    expect((await cyclesOf(world, id)).length).toBeGreaterThan(1);
  });

  it("keeps its customer from being erased, and moves it when the customer is merged", async () => {
    const customer = { email: `kept.${acme.id}@example.com` };
    const { id } = await subscribe(world, actor(), { customer });
    const customer_id = (await read(id)).customer_id ?? "";
    expect(await refusalOf(world.call(eraseCustomer, actor(), { customer_id }))).toBe("customer_in_use");
    const other = await world.call(createPayment, actor(), {
      ...({ type: "product", amount: 100, currency: "EUR" } as const),
      customer: { email: `other.${acme.id}@example.com` },
    });
    const into_customer_id = other.customer?.customer_id ?? "";
    await world.call(mergeCustomer, actor(), { customer_id, into_customer_id });
    expect(await read(id)).toMatchObject({ customer_id: into_customer_id });
    await pass("P30D");
    const { latest_payment_id } = await read(id);
    expect(await paymentRow(world, latest_payment_id)).toMatchObject({ customerId: into_customer_id, status: "paid" });
    await command.cancel(id);
    expect(await world.call(eraseCustomer, actor(), { customer_id: into_customer_id })).toMatchObject({ email: null });
  });
});

describe("time that passed while no worker ran", () => {
  it.each([
    ["latest", [true, false, false, false, true], 2],
    ["all", [true, true, true, true, true], 5],
  ] as const)("is made up for as the organization chose: %s", async (catch_up, paid, done) => {
    const own = await openWorld();
    const org = await own.organization();
    await own.call(updateOrganizationSettings, org.admin.actor, { catch_up });
    const { id } = await subscribe(own, org.member.actor, { subscription: daily });
    await runJobs(own);
    own.clock.advance(4.5 * dayMs);
    await runJobs(own);
    const cycles = await cyclesOf(own, id);
    expect(cycles.map(({ paidAt }) => paidAt !== null)).toEqual(paid);
    expect(cycles.map(({ isMissed }) => isMissed)).toEqual(paid.map((one) => !one));
    expect(await readOne(own, org.member.actor, id)).toMatchObject({ status: "active", cycles_done: done });
    const missed = cycles.filter(({ isMissed }) => isMissed);
    for (const { paymentId } of missed) expect((await paymentRow(own, paymentId)).status).toBe("pending");
    await expectSoundLedger(own);
    await own.close();
  });
});
