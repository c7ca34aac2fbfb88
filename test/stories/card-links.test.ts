// The card link of a subscription: another card is stored without money, and charged from then on.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cardLinks, events, mails, storedMethods, subscriptions, tables } from "@/db/tables";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { settleMethod } from "@/server/domains/payments/methods/settle";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { createPayment } from "@/server/domains/payments/operations/create";
import { leaveChallenge } from "@/server/domains/payments/operations/leave-challenge";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { inBackground } from "@/server/domains/records/in-background";
import { recordRestore } from "@/server/domains/restores/after-restore";
import { cardPageUrl } from "@/server/domains/subscriptions/card-link";
import { createCardLink } from "@/server/domains/subscriptions/operations/card-link";
import { cancelSubscription, pauseSubscription } from "@/server/domains/subscriptions/operations/change";
import { leaveCard } from "@/server/domains/subscriptions/operations/change-card";
import { listSubscriptions } from "@/server/domains/subscriptions/operations/read";
import { dayMs, limits, minuteMs } from "@/server/kit/limits";
import { answerBank, cardFormToken, cardLink, changeCardTo, openCardPage, submitCard } from "@/test/card-links";
import { runJobs } from "@/test/jobs";
import { askMany, payUse } from "@/test/link-payer";
import { type MailServer, startMailServer } from "@/test/mail-server";
import { linksTo } from "@/test/mailed-links";
import { expectSoundLedger } from "@/test/money";
import { anyone, card, openPage, paymentRow, payWith, tokenOf, transactionsOf } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { monthly, readOne, subscribe, subscriptionOf } from "@/test/subscriber";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let server: MailServer;
let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  server = await startMailServer();
  world = await openWorld({ SMTP_URL: server.url, MAIL_FROM: "mail@example.com" });
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
  await server.close();
});
beforeEach(async () => {
  acme = await world.organization();
});

const actor = () => acme.member.actor;
const read = (id: string) => readOne(world, actor(), id);
const pass = (duration: string) => moveClock(world, acme.admin.actor, duration);
const link = (id: string) => cardLink(world, actor(), id);
const stateOf = async (token: string) => (await openCardPage(world, token)).state;
const other = card("5555555555554444");
const challenged = card("4000000000003220");
const cancel = (id: string) => world.call(cancelSubscription, actor(), { subscription_id: id, at: "now" });

describe("another card", () => {
  it("is stored without money, charged from the next renewal on, and announced once", async () => {
    const { id, payment } = await subscribe(world, actor(), { description: "Bread box" });
    const token = await link(id);
    expect(await openCardPage(world, token)).toMatchObject({
      state: "open",
      subscription: {
        ...{ description: "Bread box", amount: 1250, currency: "EUR", interval: "month", interval_count: 1 },
        ...{ next_charge_at: (await read(id)).next_charge_at, card: { brand: "visa", last4: "4242" } },
      },
    });
    expect(await changeCardTo(world, token, other)).toEqual({ result: "submitted", problems: [], action_url: null });
    expect((await read(id)).payment_method).toMatchObject({ brand: "mastercard", last4: "4444" });
    expect(await openCardPage(world, token)).toMatchObject({
      state: "changed",
      subscription: { card: { brand: "mastercard", last4: "4444" }, form_token: null },
    });
    expect(await transactionsOf(world, payment.payment_id)).toHaveLength(1);
    const told = await world.runtime.db.read.select().from(events).where(eq(events.objectId, id));
    const changes = told.filter(({ data }) => "payment_method_last4" in data);
    expect(changes.map(({ type, data }) => [type, data.payment_method_last4])).toEqual([
      ["subscription.updated", "4444"],
    ]);
    await pass("P31D");
    const renewed = await read(id);
    expect(renewed).toMatchObject({ status: "active", cycles_done: 2 });
    const [charge] = await transactionsOf(world, renewed.latest_payment_id);
    expect(charge?.paymentMethod).toMatchObject({ last4: "4444" });
  });

  it.each(["trial", "cash", "pause"] as const)("is stored for a subscription in %s", async (what) => {
    let id = "";
    if (what === "cash") {
      const { payment_id } = await world.call(createPayment, actor(), {
        ...({ type: "subscription", amount: 1250, currency: "EUR", subscription: monthly } as const),
      });
      await world.call(markPaid, actor(), { payment_id, method: "cash", reason: "paid at the counter" });
      id = (await subscriptionOf(world, payment_id))?.id ?? "";
    } else {
      const terms = what === "trial" ? { ...monthly, trial_days: 10 } : monthly;
      id = (await subscribe(world, actor(), { subscription: terms })).id;
    }
    if (what === "pause") await world.call(pauseSubscription, actor(), { subscription_id: id });
    const before = await read(id);
    const token = await link(id);
    expect((await openCardPage(world, token)).subscription?.card ?? null).toEqual(
      what === "cash" ? null : { brand: "visa", last4: "4242" },
    );
    await changeCardTo(world, token, card("4000000000000002"));
    await changeCardTo(world, token, other);
    const after = await read(id);
    expect(after).toMatchObject({ status: before.status, payment_method: { last4: "4444" } });
    expect((await paymentRow(world, before.first_payment_id)).status).toBe("paid");
    await pass("P31D");
    const { status, cycles_done } = await read(id);
    expect([status, cycles_done]).toEqual({ trial: ["active", 1], cash: ["active", 2], pause: ["paused", 1] }[what]);
  });

  it("is refused with invalid fields, a decline or a failed confirmation, and the earlier one stays", async () => {
    const { id } = await subscribe(world, actor());
    const token = await link(id);
    expect(await changeCardTo(world, token, { ...other, expiry: "1" })).toMatchObject({
      ...{ result: "refused", problems: ["expiry_invalid"] },
    });
    await changeCardTo(world, token, card("4000000000009995"));
    const declined = await openCardPage(world, token);
    expect(declined).toMatchObject({ state: "open", subscription: { last_error_code: "insufficient_funds" } });
    world.clock.advance(1000);
    const { action_url } = await changeCardTo(world, token, challenged);
    expect(await openCardPage(world, token)).toMatchObject({
      ...{ state: "requires_action", subscription: { action_url, form_token: null } },
    });
    const { return_url } = await answerBank(world, action_url, "fail");
    expect(return_url).toBe(`http://localhost:3000/card/${token}`);
    expect(await openCardPage(world, token)).toMatchObject({
      ...{ state: "open", subscription: { last_error_code: "authentication_failed" } },
    });
    expect((await read(id)).payment_method).toMatchObject({ last4: "4242" });
  });

  it("is stored once its holder has confirmed it, and not if the holder leaves, or lets the time pass", async () => {
    const { id } = await subscribe(world, actor());
    const token = await link(id);
    await changeCardTo(world, token, challenged);
    await world.call(leaveCard, anyone, { token });
    await world.call(leaveCard, anyone, { token });
    expect(await stateOf(token)).toBe("open");
    await changeCardTo(world, token, challenged);
    await pass("PT16M");
    expect(await stateOf(token)).toBe("open");
    const { action_url } = await changeCardTo(world, token, challenged);
    await answerBank(world, action_url);
    expect(await stateOf(token)).toBe("changed");
    expect((await read(id)).payment_method).toMatchObject({ last4: "3220" });
  });

  it("is no attempt of the payment request that began the subscription", async () => {
    const { id, token: first } = await subscribe(world, actor(), { subscription: { ...monthly, trial_days: 10 } });
    const token = await link(id);
    await changeCardTo(world, token, challenged);
    expect((await openPage(world, first)).state).toBe("paid");
    await world.call(leaveChallenge, anyone, { token: first });
    expect(await stateOf(token)).toBe("requires_action");
  });

  it("is not replaced by one that was given up before, whose bank answers late", async () => {
    const { id, payment } = await subscribe(world, actor());
    const token = await link(id);
    await changeCardTo(world, token, card("4000000000000002"));
    await changeCardTo(world, token, other);
    const rows = await world.runtime.db.read
      .select()
      .from(storedMethods)
      .where(eq(storedMethods.paymentId, payment.payment_id));
    const late = rows.find(({ status }) => status === "failed")?.id ?? "";
    const result = { kind: "charge", reference: "late", status: "succeeded", storedMethod: "late" } as const;
    const settled = await inBackground(world.runtime, "test", (ctx) =>
      settleMethod(ctx, late, { ...result, amountCaptured: 0, actionUrl: null, method: null, failure: null }),
    );
    expect(settled.status).toBe("failed");
    expect((await read(id)).payment_method).toMatchObject({ last4: "4444" });
  });

  it("cannot be tried without end", async () => {
    const { id } = await subscribe(world, actor());
    const token = await link(id);
    const form = await cardFormToken(world, token);
    for (let attempt = 1; attempt <= limits.failures.declined; attempt++) {
      await changeCardTo(world, token, card("4000000000000002"));
      world.clock.advance(31 * minuteMs);
    }
    expect(await openCardPage(world, token)).toMatchObject({ state: "failed", subscription: { form_token: null } });
    expect(await refusalOf(submitCard(world, token, form))).toBe("invalid_subscription_state");
  });

  it("is throttled like a payment", async () => {
    const { id } = await subscribe(world, actor());
    const tokens = [await link(id)];
    const codes: (string | null)[] = [];
    for (let attempt = 1; attempt <= 12; attempt++) {
      if (attempt % 4 === 0) tokens.push(await link(id));
      codes.push(await refusalOf(changeCardTo(world, tokens.at(-1) ?? "", card("4000000000000002"))).catch(() => null));
    }
    expect(codes).toContain("rate_limited");
  });
});

describe("a card link", () => {
  it("is nowhere in the database, and the same in a repeated response until a newer one ends it", async () => {
    const { id } = await subscribe(world, actor());
    const key = { idempotencyKey: `card-${id}` };
    const ask = () => world.call(createCardLink, actor(), { subscription_id: id }, key);
    const first = await ask();
    expect(first.url).toMatch(/^http:\/\/localhost:3000\/card\/qtsm_[0-9A-Za-z]{49}$/);
    expect(Date.parse(first.expires_at)).toBe(world.clock.now() + limits.cardLinkDays * dayMs);
    const secret = tokenOf(first.url).slice(5);
    for (const table of Object.values(tables)) {
      expect(JSON.stringify(await world.runtime.db.read.select().from(table)).includes(secret)).toBe(false);
    }
    expect(await ask()).toEqual(first);
    world.clock.advance(1);
    const second = await link(id);
    expect((await ask()).url).toBeNull();
    expect([await stateOf(tokenOf(first.url)), await stateOf(second)]).toEqual(["over", "open"]);
    expect(await refusalOf(submitCard(world, tokenOf(first.url), ""))).toBe("subscription_not_found");
  });

  it("works once and for a week, whatever the sandbox clock says", async () => {
    const { id } = await subscribe(world, actor());
    const token = await link(id);
    await pass("P20D");
    const form = await cardFormToken(world, token);
    await submitCard(world, token, form, other);
    expect(await submitCard(world, token, form, other)).toMatchObject({ result: "submitted" });
    expect(
      await world.runtime.db.read.select().from(storedMethods).where(eq(storedMethods.organizationId, acme.id)),
    ).toHaveLength(2);
    const late = await link(id);
    const stale = await cardFormToken(world, late);
    world.clock.advance(limits.cardLinkDays * dayMs);
    expect(await openCardPage(world, late)).toEqual({ state: "over", subscription: null });
    expect(await refusalOf(submitCard(world, late, stale))).toBe("form_expired");
  });

  it("that was used shows the card until its week is over, and nothing after it", async () => {
    const { id } = await subscribe(world, actor());
    const token = await link(id);
    await changeCardTo(world, token, other);
    world.clock.advance(limits.cardLinkDays * dayMs - 1);
    expect(await openCardPage(world, token)).toMatchObject({
      state: "changed",
      subscription: { card: { last4: "4444" } },
    });
    world.clock.advance(1);
    expect(await openCardPage(world, token)).toEqual({ state: "over", subscription: null });
  });

  it("is refused before the subscription begins and after its end, and ends with it", async () => {
    const { id } = await subscribe(world, actor());
    const token = await link(id);
    const form = await cardFormToken(world, token);
    await cancel(id);
    expect(await stateOf(token)).toBe("over");
    expect(await refusalOf(submitCard(world, token, form))).toBe("invalid_subscription_state");
    expect(await refusalOf(link(id))).toBe("invalid_subscription_state");
    const begun = await subscribe(world, actor(), {}, card("4000000000000002"));
    expect(await refusalOf(link(begun.id))).toBe("invalid_subscription_state");
  });

  it("ends when its customer is merged or erased, and after a restore", async () => {
    const customer = { email: `card.${acme.id}@example.com` };
    const { id } = await subscribe(world, actor(), { customer });
    const token = await link(id);
    const customer_id = (await read(id)).customer_id ?? "";
    const survivor = await world.call(createPayment, actor(), {
      ...({ type: "product", amount: 100, currency: "EUR" } as const),
      customer: { email: `other.${acme.id}@example.com` },
    });
    const into_customer_id = survivor.customer?.customer_id ?? "";
    await world.call(mergeCustomer, actor(), { customer_id, into_customer_id });
    expect(await stateOf(token)).toBe("over");
    const next = await link(id);
    await changeCardTo(world, next, other);
    const [row] = await world.runtime.db.read.select().from(subscriptions).where(eq(subscriptions.id, id));
    const [method] = await world.runtime.db.read
      .select()
      .from(storedMethods)
      .where(eq(storedMethods.id, row?.methodId ?? ""));
    expect(method?.customerId).toBe(into_customer_id);
    const restored = await link(id);
    await recordRestore(world.runtime, { backup: "test", keepSessions: false });
    expect(await stateOf(restored)).toBe("over");
    const last = await link(id);
    await cancel(id);
    await world.call(eraseCustomer, actor(), { customer_id: into_customer_id });
    expect(await openCardPage(world, last)).toEqual({ state: "over", subscription: null });
  });

  it("shows an unknown, malformed or foreign token as over", async () => {
    for (const token of ["", "over", `qtsm_${"0".repeat(49)}`, `qtpl_${"0".repeat(49)}`]) {
      expect(await openCardPage(world, token)).toEqual({ state: "over", subscription: null });
    }
  });

  it("leads to the page of a renewal that is not paid, whose card is then the stored one", async () => {
    const { id } = await subscribe(world, actor(), {}, card("4000000000000341"));
    const early = await link(id);
    const form = await cardFormToken(world, early);
    await pass("P31D");
    const page = await openCardPage(world, early);
    expect(page).toMatchObject({ state: "unpaid", subscription: { form_token: null } });
    expect(await refusalOf(submitCard(world, early, form))).toBe("invalid_subscription_state");
    const pay = tokenOf(page.subscription?.pay_url ?? null);
    expect((await openPage(world, pay)).state).toBe("open");
    await payWith(world, pay, other);
    expect(await read(id)).toMatchObject({ status: "active", payment_method: { last4: "4444" } });
    expect(await openCardPage(world, early)).toMatchObject({
      state: "open",
      subscription: { card: { last4: "4444" } },
    });
  });

  it("changes the card while nobody can pay the renewal any more, for the period after it", async () => {
    const { id } = await subscribe(world, actor(), {}, card("4000000000000341"));
    await pass("P31D");
    const { latest_payment_id: payment_id } = await read(id);
    const token = await link(id);
    const pay = tokenOf((await openCardPage(world, token)).subscription?.pay_url ?? null);
    while ((await openPage(world, pay)).state === "open") {
      await payWith(world, pay, card("4000000000000002"));
      world.clock.advance(31 * minuteMs);
    }
    await changeCardTo(world, token, other);
    expect(await read(id)).toMatchObject({ status: "past_due", payment_method: { last4: "4444" } });
    await world.call(cancelPayment, actor(), { payment_id });
    await pass("P31D");
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
  });
});

describe("the mail with a card link", () => {
  const send = (id: string) => world.call(createCardLink, actor(), { subscription_id: id, send: true });

  it("goes to the customer, counts against the limits, and not once the link is over", async () => {
    const email = `letter.${acme.id}@example.com`;
    const { id, payment } = await subscribe(world, actor(), { customer: { email } });
    const { url, mail_id } = await send(id);
    await runJobs(world);
    const sent = () => linksTo(server, email).filter((one) => one?.includes("/card/"));
    expect(sent()).toEqual([url]);
    const [row] = await world.runtime.db.read
      .select()
      .from(mails)
      .where(eq(mails.id, mail_id ?? ""));
    expect(row).toMatchObject({ kind: "card_link", status: "sent", paymentId: payment.payment_id });
    const answers: (string | null)[] = [];
    for (let i = 0; i < limits.mail.perRequest; i++) answers.push(await refusalOf(send(id)).catch(() => null));
    expect(answers).toContain("rate_limited");
    const [newest] = await world.runtime.db.read.select().from(cardLinks).where(eq(cardLinks.subscriptionId, id));
    const urlNow = () => cardPageUrl(world.runtime.db.read, world.runtime, newest?.hash ?? "");
    expect(await urlNow()).toMatch(/\/card\/qtsm_/);
    await link(id);
    expect(await urlNow()).toMatch(/\/card\/over$/);
    await runJobs(world);
    expect(sent()).toEqual([url]);
  });

  it("is refused without an address, and in the sandbox to an address that a payer typed", async () => {
    const { id } = await subscribe(world, actor());
    expect(await refusalOf(send(id))).toBe("invalid_request");
    const { token } = await askMany(world, actor(), { type: "subscription", subscription: monthly });
    await payUse(world, token, { email: `stranger.${acme.id}@example.com` });
    const { data } = await world.call(listSubscriptions, actor(), {});
    const begun = data.find(({ subscription_id }) => subscription_id !== id)?.subscription_id ?? "";
    expect(await refusalOf(send(begun))).toBe("invalid_request");
    expect(await stateOf(await link(begun))).toBe("open");
  });
});
