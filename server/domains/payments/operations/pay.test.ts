// Paying through a link: every result of a card, every error, and one attempt however often a form is sent.

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, auditEntries, events, organizations, sandboxOperations } from "@/db/tables";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { limits } from "@/server/kit/limits";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import {
  anyone,
  ask,
  card,
  formToken,
  goodCard,
  journalEventsOf,
  openPage,
  paymentRow,
  payWith,
  submit,
  transactionsOf,
} from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { cancelPayment } from "./cancel";
import { pay } from "./pay";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000", PAY_FAILURES_PER_LINK: "10000" });
  acme = await world.organization();
});
beforeEach(() => world.clock.advance(1000));
afterAll(() => world.close());

const newRequest = (more: Parameters<typeof ask>[2] = {}) => ask(world, acme.member.actor, more);
const lost = { card_number: troubledCard, expiry: "12/30", security_code: lostAnswerCode };

describe("a card that is accepted", () => {
  it("pays the payment request with one transaction and one journal", async () => {
    const { payment, token } = await newRequest();
    expect(await payWith(world, token)).toEqual({
      payment_id: payment.payment_id,
      result: "submitted",
      problems: [],
      action_url: null,
    });
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({
      status: "paid",
      amountPaid: 1250,
      attemptCount: 1,
      lastError: null,
      paidAt: world.clock.now(),
    });
    const [transaction, ...others] = await transactionsOf(world, payment.payment_id);
    expect(others).toEqual([]);
    expect(transaction).toMatchObject({
      status: "succeeded",
      amountCaptured: 1250,
      provider: "sandbox",
      livemode: false,
      paymentMethod: { type: "card", brand: "visa", last4: "4242", exp_month: 12, exp_year: 2030 },
    });
    expect(await journalEventsOf(world, transaction?.id ?? "")).toEqual(["payment_captured"]);
    expect(await eventTypesOf(world, payment.payment_id)).toEqual([
      "payment.created",
      "payment.processing",
      "payment.paid",
    ]);
  });

  it("is only authorized if capture is manual: no money moves, and the memo accounts show the hold", async () => {
    const { payment, token } = await newRequest({ capture_method: "manual" });
    await payWith(world, token);
    const row = await paymentRow(world, payment.payment_id);
    expect(row).toMatchObject({ status: "authorized", amountPaid: 0, amountAuthorized: 1250, amountCapturable: 1250 });
    expect(row.captureBefore).toBe(row.createdAt + 7 * 86_400_000);
    const [transaction] = await transactionsOf(world, payment.payment_id);
    expect(await journalEventsOf(world, transaction?.id ?? "")).toEqual(["authorization_opened"]);
    expect((await openPage(world, token)).state).toBe("authorized");
  });

  it("is never stored: no row contains its number or security code", async () => {
    const { payment, token } = await newRequest();
    await payWith(world, token, { card_number: "5555 5555 5555 4444", expiry: "1/31", security_code: "737" });
    const { read } = world.runtime.db;
    const [transaction] = await transactionsOf(world, payment.payment_id);
    const rows = [
      await paymentRow(world, payment.payment_id),
      transaction,
      await read
        .select()
        .from(sandboxOperations)
        .where(eq(sandboxOperations.idempotencyKey, transaction?.id ?? "")),
      await read.select().from(auditEntries).where(eq(auditEntries.targetId, payment.payment_id)),
      await read.select().from(events).where(eq(events.objectId, payment.payment_id)),
    ];
    const text = JSON.stringify(rows);
    expect(text).toContain("4444");
    expect(text).not.toMatch(/5555.?5555/);
    expect(text).not.toContain('"737"');
  });
});

describe("a card that is declined", () => {
  it.each([
    ["4000000000000002", "card_declined"],
    ["4000000000009995", "insufficient_funds"],
    ["4000000000000069", "expired_card"],
    ["4000000000000127", "incorrect_cvc"],
    ["4000000000000101", "incorrect_cvc"],
    ["4000000000000119", "processing_error"],
    ["4000000000006975", "card_velocity_exceeded"],
    ["4000000000009987", "lost_card"],
    ["4000000000009979", "stolen_card"],
    ["4100000000000019", "fraudulent"],
    ["4000000000004954", "fraudulent"],
  ])("%s leaves the payment request open with %s, and another card pays it", async (number, code) => {
    const { payment, token } = await newRequest();
    await payWith(world, token, card(number));
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({
      status: "pending",
      attemptCount: 1,
      amountPaid: 0,
      lastError: { code },
    });
    expect(await openPage(world, token)).toMatchObject({ state: "open", last_error_code: code });
    world.clock.advance(1000);
    await payWith(world, token);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({
      status: "paid",
      attemptCount: 2,
      lastError: null,
    });
    expect(await eventTypesOf(world, payment.payment_id)).toEqual([
      "payment.created",
      "payment.processing",
      "payment.attempt_failed",
      "payment.processing",
      "payment.paid",
    ]);
  });

  it("takes no card after the thirtieth decline", async () => {
    const { payment, token } = await newRequest();
    const form = await formToken(world, token);
    for (let attempt = 1; attempt <= 30; attempt++) {
      expect((await paymentRow(world, payment.payment_id)).status).toBe("pending");
      world.clock.advance(1000);
      await payWith(world, token, card("4000000000000002"));
    }
    const failed = { status: "failed", failedAt: world.clock.now(), attemptCount: 30 };
    expect(await paymentRow(world, payment.payment_id)).toMatchObject(failed);
    expect((await openPage(world, token)).state).toBe("failed");
    expect(await refusalOf(submit(world, token, form))).toBe("payment_not_payable");
  });
});

describe("a submitted form", () => {
  it.each([
    [{ card_number: "4242424242424241" }, ["number_invalid"]],
    [{ card_number: "4111111111111111" }, ["number_not_test"]],
    [{ card_number: "4000000000002685" }, ["number_not_test"]],
    [{ card_number: "" }, ["number_invalid"]],
    [{ card_number: "4".repeat(1000) }, ["number_invalid"]],
    [{ expiry: "13/30" }, ["expiry_invalid"]],
    [{ expiry: "soon" }, ["expiry_invalid"]],
    [{ expiry: "10/26" }, ["expiry_past"]],
    [{ security_code: "12" }, ["security_code_invalid"]],
    [{ security_code: "1234" }, ["security_code_invalid"]],
    [{ card_number: "378282246310005" }, ["security_code_invalid"]],
    [
      { card_number: "x", expiry: "", security_code: "" },
      ["number_invalid", "expiry_invalid", "security_code_invalid"],
    ],
  ])("%o is rejected with %o, and no attempt is recorded", async (typed, problems) => {
    const { payment, token } = await newRequest();
    expect(await payWith(world, token, { ...goodCard, ...typed })).toMatchObject({ result: "refused", problems });
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
    expect((await paymentRow(world, payment.payment_id)).status).toBe("pending");
  });

  it("accepts a card in its last month, and every format of number and date", async () => {
    for (const typed of [
      { ...goodCard, expiry: "11/26" },
      { ...goodCard, expiry: "11 / 2026" },
      { ...goodCard, expiry: "1126" },
      { card_number: "3782-822463-10005", expiry: "01/27", security_code: "1234" },
    ]) {
      const { token } = await newRequest();
      expect((await payWith(world, token, typed)).result).toBe("submitted");
    }
  });

  it("is rejected without a token, and with another payment request's, a tampered or an old one", async () => {
    const { payment, token } = await newRequest();
    const other = await newRequest();
    const form = await formToken(world, token);
    // Not one of the last characters, some of whose bits say nothing.
    const flipped = form.slice(0, -9) + (form.at(-9) === "A" ? "B" : "A") + form.slice(-8);
    for (const bad of ["", "x", flipped, await formToken(world, other.token)]) {
      expect(await refusalOf(submit(world, token, bad))).toBe("form_expired");
    }
    world.clock.advance(24 * 3_600_000);
    expect(await refusalOf(submit(world, token, form))).toBe("form_expired");
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
  });

  it("of an unknown link is not found", async () => {
    const { token } = await newRequest();
    const form = await formToken(world, token);
    const tampered = token.slice(0, -7) + (token.at(-7) === "a" ? "b" : "a") + token.slice(-6);
    for (const unknown of ["", "nonsense", tampered]) {
      expect(await refusalOf(submit(world, unknown, form))).toBe("payment_not_found");
      expect(await refusalOf(openPage(world, unknown))).toBe("payment_not_found");
    }
  });
});

describe("a payment request that accepts no payment", () => {
  it("returns the reason: paid or canceled", async () => {
    const paid = await newRequest();
    const second = await formToken(world, paid.token);
    await payWith(world, paid.token);
    expect(await refusalOf(submit(world, paid.token, second))).toBe("payment_already_paid");

    const canceled = await newRequest();
    const early = await formToken(world, canceled.token);
    await world.call(cancelPayment, acme.member.actor, { payment_id: canceled.payment.payment_id });
    expect(await refusalOf(submit(world, canceled.token, early))).toBe("payment_not_payable");
  });

  it("expires at the very instant that it states", async () => {
    const expires_at = new Date(world.clock.now() + 60_000).toISOString();
    const { payment, token } = await newRequest({ expires_at });
    const form = await formToken(world, token);
    world.clock.advance(59_999);
    expect((await openPage(world, token)).state).toBe("open");
    world.clock.advance(1);
    expect((await openPage(world, token)).state).toBe("expired");
    expect(await refusalOf(submit(world, token, form))).toBe("payment_expired");
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
  });

  it("is not available while its account is closed or has lost its owner", async () => {
    const user = await world.user(acme.id);
    const { token } = await ask(world, user.actor);
    const form = await formToken(world, token);
    const { db, clock } = world.runtime;
    const set = (change: Partial<typeof accounts.$inferInsert>) =>
      db.write(async (tx) => void (await tx.update(accounts).set(change).where(eq(accounts.id, user.accountId))));
    await set({ ownerUserId: null, orphanedAt: clock.now() });
    expect((await openPage(world, token)).state).toBe("unavailable");
    expect(await refusalOf(submit(world, token, form))).toBe("payment_not_payable");
    await set({ ownerUserId: acme.admin.id });
    expect((await openPage(world, token)).state).toBe("open");
    await set({ status: "closed", closedAt: clock.now() });
    expect((await openPage(world, token)).state).toBe("unavailable");
    expect(await refusalOf(submit(world, token, form))).toBe("payment_not_payable");
  });

  it("is not available in live mode, which has no provider yet", async () => {
    const live = await world.organization("Live");
    await world.runtime.db.write(
      async (tx) => void (await tx.update(organizations).set({ mode: "live" }).where(eq(organizations.id, live.id))),
    );
    const { payment, token } = await ask(world, live.member.actor);
    expect(payment.livemode).toBe(true);
    expect(await openPage(world, token)).toMatchObject({ state: "unavailable", form_token: null, livemode: true });
  });
});

describe("repeated submissions", () => {
  it("of one form make one attempt, both concurrently and later", async () => {
    const { payment, token } = await newRequest();
    const form = await formToken(world, token);
    const results = await Promise.allSettled(Array.from({ length: 25 }, () => submit(world, token, form)));
    expect(results.every((result) => result.status === "fulfilled")).toBe(true);
    await submit(world, token, form);
    const attempts = await transactionsOf(world, payment.payment_id);
    expect(attempts).toHaveLength(1);
    expect(await journalEventsOf(world, attempts[0]?.id ?? "")).toEqual(["payment_captured"]);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ status: "paid", amountPaid: 1250 });
  });

  it("of forms from 25 tabs pay once; the others get payment_processing or payment_already_paid", async () => {
    const { payment, token } = await newRequest();
    const forms = await Promise.all(Array.from({ length: 25 }, () => formToken(world, token)));
    const results = await Promise.allSettled(forms.map((form) => submit(world, token, form)));
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason.code)] : []));
    expect(refusals).toHaveLength(24);
    expect(new Set([...refusals, "payment_processing", "payment_already_paid"]).size).toBe(2);
    const attempts = await transactionsOf(world, payment.payment_id);
    expect(attempts).toHaveLength(1);
    expect(await journalEventsOf(world, attempts[0]?.id ?? "")).toEqual(["payment_captured"]);
  });

  it("of a form whose card was declined make no further attempt", async () => {
    const { payment, token } = await newRequest();
    const form = await formToken(world, token);
    await submit(world, token, form, card("4000000000000002"));
    expect((await submit(world, token, form, goodCard)).result).toBe("submitted");
    expect(await transactionsOf(world, payment.payment_id)).toHaveLength(1);
    expect((await paymentRow(world, payment.payment_id)).status).toBe("pending");
  });
});

describe("an attempt whose answer from the provider is lost", () => {
  it("stays `processing` until a look-up finds the result", async () => {
    const { payment, token } = await newRequest();
    const second = await formToken(world, token);
    await payWith(world, token, lost);
    expect((await openPage(world, token)).state).toBe("processing");
    expect(await refusalOf(submit(world, token, second))).toBe("payment_processing");
    await runJobs(world);
    expect((await openPage(world, token)).state).toBe("processing");
    world.clock.advance(30_000);
    expect(await runJobs(world)).toBeGreaterThan(0);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({ status: "paid", amountPaid: 1250 });
    expect(await runJobs(world)).toBe(0);
    const [attempt] = await transactionsOf(world, payment.payment_id);
    expect(await journalEventsOf(world, attempt?.id ?? "")).toEqual(["payment_captured"]);
  });

  it("pays a payment request that has expired meanwhile", async () => {
    const { payment, token } = await newRequest({ expires_at: new Date(world.clock.now() + 10_000).toISOString() });
    await payWith(world, token, lost);
    world.clock.advance(60_000);
    expect((await openPage(world, token)).state).toBe("processing");
    await runJobs(world);
    expect((await paymentRow(world, payment.payment_id)).status).toBe("paid");
  });

  it("is looked up by two processes concurrently and settled once", async () => {
    const { payment, token } = await newRequest();
    await payWith(world, token, lost);
    world.clock.advance(30_000);
    await Promise.all([runJobs(world), runJobs(world)]);
    const [attempt] = await transactionsOf(world, payment.payment_id);
    expect(await journalEventsOf(world, attempt?.id ?? "")).toEqual(["payment_captured"]);
  });

  it("leaves the payment request open again if the provider never received the charge", async () => {
    const { payment, token } = await newRequest();
    await payWith(world, token, lost);
    const [attempt] = await transactionsOf(world, payment.payment_id);
    await world.runtime.db.write(
      async (tx) =>
        void (await tx.delete(sandboxOperations).where(eq(sandboxOperations.idempotencyKey, attempt?.id ?? ""))),
    );
    world.clock.advance(30_000);
    await runJobs(world);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({
      status: "pending",
      lastError: { code: "not_received" },
    });
    world.clock.advance(1000);
    await payWith(world, token);
    expect((await paymentRow(world, payment.payment_id)).status).toBe("paid");
  });
});

describe("throttling", () => {
  /** A world in which one failed attempt blocks its link and its payer's address. */
  async function withStrictLimits(
    test: (world: World, newRequest: () => Promise<{ token: string; id: string }>) => Promise<void>,
  ) {
    const small = await openWorld({ PAY_FAILURES_PER_LINK: "1", PAY_FAILURES_PER_IP: "1" });
    const { member } = await small.organization();
    try {
      await test(small, async () => {
        const { payment, token } = await ask(small, member.actor);
        return { token, id: payment.payment_id };
      });
    } finally {
      await small.close();
    }
  }

  it("never counts attempts that the provider has not answered", async () => {
    await withStrictLimits(async (small, newRequest) => {
      const { token, id } = await newRequest();
      for (let outage = 1; outage <= limits.failures.declined + 1; outage++) {
        await payWith(small, token, lost);
        const unanswered = (await transactionsOf(small, id)).find((row) => row.status === "processing");
        await small.runtime.db.write(async (tx) => {
          await tx.delete(sandboxOperations).where(eq(sandboxOperations.idempotencyKey, unanswered?.id ?? ""));
        });
        small.clock.advance(30_000);
        await runJobs(small);
      }
      expect((await paymentRow(small, id)).status).toBe("pending");
      await payWith(small, token);
      expect((await paymentRow(small, id)).status).toBe("paid");
      await payWith(small, (await newRequest()).token, card("4000000000000002"));
      expect(await refusalOf(payWith(small, (await newRequest()).token))).toBe("rate_limited");
      await expectSoundLedger(small);
    });
  });

  it("does not count a mistyped card as an attempt, but limits such forms per address", async () => {
    await withStrictLimits(async (small, newRequest) => {
      const { token } = await newRequest();
      const typo = card("4242424242424241");
      for (let sent = 1; sent <= limits.payFormsPerHour; sent++) {
        expect((await payWith(small, token, typo)).result).toBe("refused");
      }
      expect(await refusalOf(payWith(small, token, typo))).toBe("rate_limited");
      const elsewhere = submit(small, token, await formToken(small, token), typo, { ip: "198.51.100.9" });
      expect((await elsewhere).result).toBe("refused");
      expect((await payWith(small, (await newRequest()).token, typo)).result).toBe("refused");
      expect((await payWith(small, token)).result).toBe("submitted");
    });
  });

  it("limits failed attempts per link and per address, not successful ones", async () => {
    const small = await openWorld({ PAY_FAILURES_PER_LINK: "2", PAY_FAILURES_PER_IP: "4" });
    try {
      const organization = await small.organization();
      const first = await ask(small, organization.member.actor);
      await payWith(small, first.token, card("4000000000000002"));
      small.clock.advance(1000);
      const last = await formToken(small, first.token);
      await payWith(small, first.token, card("4000000000000002"));
      expect(await refusalOf(submit(small, first.token, last))).toBe("rate_limited");
      expect((await openPage(small, first.token)).state).toBe("failed");
      const second = await ask(small, organization.member.actor);
      await payWith(small, second.token, card("4000000000000002"));
      for (let paid = 0; paid < 3; paid++) await payWith(small, (await ask(small, organization.member.actor)).token);
      small.clock.advance(1000);
      await payWith(small, second.token, card("4000000000000002"));
      const third = await ask(small, organization.member.actor);
      expect(await refusalOf(payWith(small, third.token))).toBe("rate_limited");
      const form = await formToken(small, third.token);
      const elsewhere = small.call(
        pay,
        anyone,
        { token: third.token, form_token: form, ...goodCard },
        { ip: "198.51.100.9" },
      );
      expect((await elsewhere).result).toBe("submitted");
      small.clock.advance(3_600_000);
      expect((await payWith(small, first.token)).result).toBe("submitted");
    } finally {
      await small.close();
    }
  });
});
