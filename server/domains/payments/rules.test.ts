// Line arithmetic against exact fractions, and the status as a function of transactions and time.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LineItem } from "@/db/schema/line-values";
import { paymentStatuses } from "@/db/schema/values";
import { neverConfirmed } from "@/server/domains/providers/provider";
import { limits } from "@/server/kit/limits";
import { refusalToCapture } from "./capture-rules";
import { hasFailed } from "./declines";
import {
  type Attempt,
  amountDue,
  amountMissing,
  derivePaymentStatus,
  hasLapsed,
  isUnderWay,
  type PaymentFacts,
  statusAt,
} from "./derive";
import { amountChargedBack, balanceOf, reopenedWith } from "./disputed";
import { captureBeforeOf } from "./from-attempts";
import { lineTotal, subtotalOf, sumOf, taxesOf } from "./line-sums";
import {
  describeUnpayable,
  next,
  refusalToCancel,
  refusalToExtend,
  refusalToPay,
  refusalToRecord,
  refusalToRemind,
} from "./rules";
import { paidUpAt, totalsOf } from "./totals";

const line = (item: Partial<LineItem>): LineItem => ({
  name: "x",
  quantity: 1,
  unit_amount: 100,
  tax_rate_bp: null,
  discount_amount: null,
  ...item,
});

const anyLine = fc.record({
  name: fc.constant("x"),
  quantity: fc.integer({ min: 1, max: limits.quantity }),
  unit_amount: fc.integer({ min: 1, max: limits.amount }),
  tax_rate_bp: fc.option(fc.integer({ min: 0, max: limits.taxRateBasisPoints })),
  discount_amount: fc.option(fc.integer({ min: 0, max: limits.amount })),
});

describe("lines", () => {
  it.each([
    [{ unit_amount: 5, tax_rate_bp: 1000 }, 6n],
    [{ unit_amount: 4, tax_rate_bp: 1000 }, 4n],
    [{ unit_amount: 100, tax_rate_bp: 1900 }, 119n],
    [{ unit_amount: 50, tax_rate_bp: 1900, quantity: 3, discount_amount: 1 }, 177n],
    [{ unit_amount: 100, discount_amount: 100 }, 0n],
    [{ unit_amount: 100, discount_amount: 101 }, null],
  ])("%o total %s", (item, total) => expect(lineTotal(line(item))).toBe(total));

  it("round tax half up, once, and are otherwise exact", () => {
    fc.assert(
      fc.property(anyLine, (item) => {
        const total = lineTotal(item);
        const net = BigInt(item.quantity) * BigInt(item.unit_amount) - BigInt(item.discount_amount ?? 0);
        if (net < 0n) return total === null;
        const exact = net * (10_000n + BigInt(item.tax_rate_bp ?? 0));
        const error = (total ?? -1n) * 10_000n - exact;
        return -5_000n < error && error <= 5_000n;
      }),
    );
  });

  it("add up in any order, or report that the sum is out of range", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 5 }), (lines) => {
        const [forwards, backwards] = [sumOf(lines), sumOf([...lines].reverse())];
        if ("amount" in forwards) {
          expect(backwards).toEqual(forwards);
          expect(Number.isSafeInteger(forwards.amount) && forwards.amount <= limits.amount).toBe(true);
        } else expect("problem" in backwards).toBe(true);
      }),
    );
  });

  it("have a subtotal and a tax per rate that add up to the amount", () => {
    const ratedLine = fc.record({
      ...{ name: fc.constant("x"), quantity: fc.integer({ min: 1, max: 99 }), discount_amount: fc.nat(100) },
      ...{ unit_amount: fc.integer({ min: 100, max: 99_999 }), tax_rate_bp: fc.constantFrom(null, 0, 700, 1900, 1) },
    });
    fc.assert(
      fc.property(fc.array(ratedLine, { minLength: 1, maxLength: 9 }), (lines) => {
        const taxes = taxesOf(lines);
        const total = taxes.reduce((sum, { tax }) => sum + tax, subtotalOf(lines));
        const ofRate = (rate: number) => lines.filter(({ tax_rate_bp }) => tax_rate_bp === rate);
        const rates = [1, 700, 1900].filter((rate) => ofRate(rate).length > 0);
        if (subtotalOf(lines) > 0n) expect(sumOf(lines)).toEqual({ amount: Number(total) });
        expect(taxes.map(({ rate, net }) => [rate, net])).toEqual(
          rates.map((rate) => [rate, subtotalOf(ofRate(rate))]),
        );
      }),
    );
    // Rounded per line: half a cent is a cent twice, not once for both.
    const half = line({ unit_amount: 50, tax_rate_bp: 100 });
    expect(taxesOf([half, half])).toEqual([{ category: "S", rate: 100, net: 100n, tax: 2n }]);
  });

  it("report the line with too large a discount, and reject a sum of 0", () => {
    expect(sumOf([line({}), line({ discount_amount: 101 })])).toEqual({ problem: "line_below_zero", line: 1 });
    expect(sumOf([line({ discount_amount: 100 })])).toEqual({ problem: "out_of_range" });
    expect(sumOf([line({ quantity: 999_999, unit_amount: limits.amount })])).toEqual({ problem: "out_of_range" });
  });
});

const attempt = (given: Partial<Attempt> = {}): Attempt => ({
  id: "txn",
  status: "succeeded",
  provider: "sandbox",
  attemptKey: null,
  amount: 100,
  amountAuthorized: 0,
  amountCaptured: 0,
  usesCredit: false,
  amountCredited: 0,
  amountReleased: 0,
  amountRefunded: 0,
  amountDisputed: 0,
  disputeStatus: "none",
  captureBefore: null,
  captureRequested: null,
  failure: null,
  actionUrl: null,
  settledAt: 1,
  effectiveAt: 1,
  paymentMethod: null,
  lateAt: null,
  ...given,
});

const facts: Omit<PaymentFacts, "attempts"> = {
  ...{ amount: 100, amountReopened: 0, amountLost: 0, draft: null, canceledAt: null, failedAt: null, expiresAt: null },
  ...{ extendedAt: null, invoiceNumber: null },
};
const draft = { offsets_days: null };
const derive = (attempts: Attempt[], given: Partial<typeof facts> = {}, now = 10) =>
  derivePaymentStatus({ ...facts, ...given, attempts }, now);

const paid = attempt({ amountCaptured: 100 });
const held = attempt({ status: "authorized", amountAuthorized: 100, captureBefore: 50, settledAt: null });
const declined = attempt({ status: "failed", failure: { code: "card_declined", message: "" } });

describe("the status", () => {
  it.each([
    ["pending", derive([])],
    ["pending", derive([declined])],
    ["processing", derive([declined, attempt({ status: "processing" })])],
    ["requires_action", derive([attempt({ status: "requires_action" })])],
    ["authorized", derive([held])],
    ["expired", derive([held], {}, 50)],
    ["expired", derive([attempt({ ...held, status: "canceled", amountReleased: 100, settledAt: 60 })], {}, 70)],
    ["pending", derive([attempt({ ...held, status: "canceled", amountReleased: 100, settledAt: 20 })], {}, 70)],
    [
      "paid",
      derive([attempt({ amountAuthorized: 100, amountCaptured: 60, amountReleased: 40, captureBefore: 50 })], {}, 99),
    ],
    ["partially_paid", derive([attempt({ amountCaptured: 60 })])],
    ["paid", derive([attempt({ amountCaptured: 60 }), attempt({ amountCaptured: 40 })])],
    ["partially_refunded", derive([attempt({ amountCaptured: 100, amountRefunded: 1 })])],
    ["refunded", derive([attempt({ amountCaptured: 100, amountRefunded: 100 })])],
    ["disputed", derive([attempt({ amountCaptured: 100, amountDisputed: 1, disputeStatus: "open" })])],
    ["disputed", derive([attempt({ amountCaptured: 40, amountDisputed: 40, disputeStatus: "open" }), held])],
    [
      "canceled",
      derive([attempt({ amountCaptured: 40, amountDisputed: 40, disputeStatus: "open" })], { canceledAt: 5 }),
    ],
    ["paid", derive([attempt({ amountCaptured: 100, disputeStatus: "won" })])],
    ["refunded", derive([attempt({ amountCaptured: 100, amountDisputed: 100, disputeStatus: "lost" })])],
    [
      "refunded",
      derive([attempt({ amountCaptured: 100, amountRefunded: 30, amountDisputed: 70, disputeStatus: "lost" })]),
    ],
    ["partially_refunded", derive([attempt({ amountCaptured: 100, amountDisputed: 70, disputeStatus: "lost" })])],
    ["authorized", derive([attempt({ amountCaptured: 1, amountRefunded: 1 }), held])],
    [
      "requires_action",
      derive([attempt({ amountCaptured: 40, amountRefunded: 10 }), attempt({ status: "requires_action" })]),
    ],
    ["expired", derive([attempt({ amountCaptured: 40, amountRefunded: 10 })], { expiresAt: 10 })],
    ["expired", derive([attempt({ amountCaptured: 40, amountRefunded: 40 })], { expiresAt: 10 })],
    ["partially_refunded", derive([attempt({ amountCaptured: 100, amountRefunded: 10 })], { expiresAt: 10 })],
    ["canceled", derive([attempt({ amountCaptured: 40, amountRefunded: 40 })], { canceledAt: 5 })],
    ["failed", derive([attempt({ amountCaptured: 40, amountRefunded: 40 })], { failedAt: 5 })],
    [
      "partially_refunded",
      derive([attempt({ amountCaptured: 40, amountRefunded: 40 }), attempt({ amountCaptured: 60 })]),
    ],
    ["refunded", derive([attempt({ amountCaptured: 1, amountRefunded: 1 }), declined])],
    [
      "partially_paid",
      derive([
        attempt({ amountCaptured: 1 }),
        attempt({ status: "canceled", amountAuthorized: 99, amountReleased: 99 }),
      ]),
    ],
    ["expired", derive([], { expiresAt: 10 })],
    ["pending", derive([], { expiresAt: 11 })],
    ["processing", derive([attempt({ status: "processing" })], { expiresAt: 5 })],
    ["paid", derive([paid], { expiresAt: 5 })],
    ["canceled", derive([], { canceledAt: 5 })],
    ["canceled", derive([attempt({ amountCaptured: 60 })], { canceledAt: 5 })],
    ["paid", derive([paid], { canceledAt: 5 })],
    ["failed", derive([declined], { failedAt: 5 })],
    ["paid", derive([paid], { failedAt: 5 })],
    ["canceled", derive([declined], { failedAt: 5, canceledAt: 6 })],
    ["draft", derive([], { draft, failedAt: 5, expiresAt: 1 })],
    ["canceled", derive([], { draft, failedAt: 5, canceledAt: 6 })],
  ])("is %s", (expected, actual) => expect(actual).toBe(expected));

  it("is failed after thirty declines within thirty days since cards were last allowed, whatever was paid between", () => {
    const month = limits.failures.countedMs;
    const times = (length: number, one = declined) => Array.from({ length }, () => one);
    expect(hasFailed(times(29), null, month)).toBe(false);
    expect(hasFailed(times(30), null, month)).toBe(true);
    expect(hasFailed(times(30), null, month + 1)).toBe(false);
    expect(hasFailed(times(30), 1, month)).toBe(false);
    expect(hasFailed(times(30, { ...declined, settledAt: 2 }), 1, month)).toBe(true);
    expect(hasFailed([...times(15), { ...paid, amountCaptured: 10 }, ...times(15)], null, month)).toBe(true);
  });

  it("is failed after fifty confirmations that payers abandoned", () => {
    const abandoned = { ...declined, failure: neverConfirmed };
    const left = (length: number) => [...Array(29).fill(declined), ...Array(length).fill(abandoned)];
    expect(hasFailed(left(49), null, 1)).toBe(false);
    expect(hasFailed(left(50), null, 1)).toBe(true);
  });

  const attemptStatuses = [
    ...(["requires_action", "processing", "authorized"] as const),
    ...(["succeeded", "failed", "canceled", "expired"] as const),
  ];

  /** An attempt that can occur: its amounts and dates follow from its status. */
  const anyAttempt = fc
    .record({
      status: fc.constantFrom<Attempt["status"]>(...attemptStatuses),
      amount: fc.integer({ min: 1, max: 100 }),
      captured: fc.integer({ min: 1, max: 100 }),
      refunded: fc.option(fc.nat(100), { nil: 0 }),
      dispute: fc.option(fc.constantFrom<Attempt["disputeStatus"]>("open", "lost", "won"), {
        nil: "none" as const,
        freq: 3,
      }),
      wasHeld: fc.boolean(),
      heldUntil: fc.nat(100),
      settledAt: fc.nat(100),
    })
    .map(({ status, amount, captured, refunded, dispute, wasHeld, heldUntil, settledAt }) => {
      const isPaid = status === "succeeded";
      const isOpen = status === "requires_action" || status === "processing" || status === "authorized";
      const isHeld = isPaid || status === "authorized" || status === "expired" || (status === "canceled" && wasHeld);
      const amountCaptured = isPaid ? Math.min(captured, amount) : 0;
      const amountAuthorized = isHeld ? amount : 0;
      return attempt({
        status,
        amountAuthorized,
        amountCaptured,
        amountReleased: isOpen ? 0 : amountAuthorized - amountCaptured,
        amountRefunded: Math.min(refunded, amountCaptured),
        disputeStatus: isPaid ? dispute : "none",
        amountDisputed: isPaid && (dispute === "open" || dispute === "lost") ? amountCaptured : 0,
        captureBefore: isHeld && (status !== "succeeded" || wasHeld) ? heldUntil : null,
        settledAt: isOpen ? null : settledAt,
      });
    });

  /** A payment request's attempts. At most one is in progress, as the rules ensure. */
  const anyAttempts = fc
    .array(anyAttempt, { maxLength: 4 })
    .map((attempts) => attempts.filter((one, i) => !isUnderWay(one) || attempts.findIndex(isUnderWay) === i));

  const anyFacts = fc
    .record({
      amount: fc.constant(100),
      attempts: anyAttempts,
      draft: fc.option(fc.constant(draft), { freq: 5 }),
      expiresAt: fc.option(fc.nat(100)),
      canceledAt: fc.option(fc.constant(0), { freq: 5 }),
      failedAt: fc.option(fc.constant(0), { freq: 5 }),
      /** Which part of what lost disputes took is due again, and which was written off. */
      decided: fc.tuple(fc.nat(100), fc.nat(100)),
      extendedAt: fc.option(fc.nat(50)),
      invoiceNumber: fc.constantFrom(null, "INV-1"),
    })
    // Nobody tries to pay a draft, and it has no number.
    .map((one) => (one.draft === null ? one : { ...one, attempts: [], invoiceNumber: null }))
    .map(({ decided: [again, off], ...one }): PaymentFacts => {
      const lost = amountChargedBack(one.attempts);
      const before = { ...one, ...{ amountReopened: 0, amountWrittenOff: 0, amountCredited: 0 } };
      const balance = balanceOf({ ...before, ...totalsOf(before) }, lost);
      const amountWrittenOff = Math.min(off, Math.max(0, -balance));
      const reopened = Math.min(again, Math.max(0, -balance) - amountWrittenOff);
      const amountReopened = reopened > 0 ? reopenedWith({ ...before, ...totalsOf(before) }, reopened) : 0;
      const after = { ...before, amountReopened, amountWrittenOff };
      return { ...after, amountLost: Math.max(0, -balanceOf({ ...after, ...totalsOf(after) }, lost)) };
    });
  /** An instant from which on the facts are as they are. */
  const sinceExtended = ({ extendedAt }: PaymentFacts, wait: number) => wait + (extendedAt ?? 0);

  const storedAt = (request: PaymentFacts, now: number) => ({
    ...totalsOf(request),
    ...{ amount: request.amount, amountReopened: request.amountReopened, canceledAt: request.canceledAt },
    status: derivePaymentStatus(request, now),
    expiresAt: request.expiresAt,
    captureBefore: captureBeforeOf(request.attempts),
  });

  it("of a stored row at a later time is the one derived at that time, and amounts add up", () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(100), fc.nat(100), (request, since, wait) => {
        const from = sinceExtended(request, since);
        const stored = storedAt(request, from);
        expect(statusAt(stored, from + wait)).toBe(derivePaymentStatus(request, from + wait));
        expect(stored.amountPaid + stored.amountWaived + amountMissing(stored)).toBe(
          Math.max((request.amount ?? 0) + request.amountReopened, stored.amountPaid + stored.amountWaived),
        );
        expect(amountDue(stored)).toBe(stored.canceledAt === null ? amountMissing(stored) : 0);
      }),
      { numRuns: 5_000 },
    );
  });

  it("changes with time only as the transitions allow", () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(100), fc.nat(100), (request, since, wait) => {
        const from = sinceExtended(request, since);
        const stored = storedAt(request, from);
        const after = statusAt(stored, from + wait);
        if (after !== stored.status) expect(next[stored.status]).toContain(after);
      }),
      { numRuns: 5_000 },
    );
  });

  it("allows paying, canceling and capturing exactly while the facts do", () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(200), (request, since) => {
        const now = sinceExtended(request, since);
        const status = derivePaymentStatus(request, now);
        const underWay = request.attempts.filter((one) => isUnderWay(one) && !hasLapsed(one, now));
        const isDue = amountMissing({ ...request, ...totalsOf(request) }) > 0;
        const isPast = request.expiresAt !== null && now >= request.expiresAt;
        if (refusalToPay(request, now) === null) {
          expect(isDue && !isPast && !request.attempts.some(isUnderWay)).toBe(true);
          expect(request.canceledAt ?? request.failedAt).toBeNull();
          expect(["pending", "partially_paid", "partially_refunded", "refunded", "disputed"]).toContain(status);
        } else {
          const isOpen = ["pending", "partially_paid"].includes(status) || (isDue && /refunded/.test(status));
          if (status === "disputed" && isDue) expect(totalsOf(request).disputeStatus).toBe("open");
          // Until the provider has confirmed that a lapsed hold ended, nobody else is charged.
          expect(isOpen && !request.attempts.some(isUnderWay)).toBe(false);
        }
        const cancel = refusalToCancel(request, now);
        expect(cancel === "payment_processing").toBe(underWay.some((one) => /action|processing/.test(one.status)));
        const isIssued = request.invoiceNumber !== null;
        if (cancel === null) {
          expect(isDue && request.canceledAt === null && (isIssued || status !== "expired")).toBe(true);
        }
        const isDisputed = totalsOf(request).disputeStatus === "open";
        const unlessDisputed = isDisputed ? "payment_not_payable" : null;
        const record = refusalToRecord(request, now);
        const remind = refusalToRemind(request, now);
        expect(record).toBe(isIssued && remind === "payment_expired" ? unlessDisputed : remind);
        const isOwed = isIssued && isDue && request.canceledAt === null;
        if (isOwed && underWay.length === 0 && !isDisputed)
          expect([record, cancel, refusalToExtend(request)]).toEqual([null, null, null]);
        // An open dispute hides a hold, and changes nothing about it.
        const attempts = request.attempts.map((one) =>
          one.disputeStatus === "open" ? { ...one, disputeStatus: "none" as const } : one,
        );
        const isHeld = derivePaymentStatus({ ...request, attempts }, now) === "authorized";
        expect(refusalToCapture(request, now) === null).toBe(isHeld);
      }),
      { numRuns: 10_000 },
    );
  });

  it("was paid on the day of the last money that no lost dispute took back", () => {
    const kept = attempt({ amountCaptured: 100, effectiveAt: 1 });
    const lost = attempt({ amountCaptured: 100, effectiveAt: 5, amountDisputed: 100, disputeStatus: "lost" });
    expect(paidUpAt([kept, lost], 9)).toBe(1);
    expect(paidUpAt([kept, { ...lost, disputeStatus: "won", amountDisputed: 0 }], 9)).toBe(5);
    expect(paidUpAt([], 9)).toBe(9);
  });

  it("explains exactly the refusals whose code has several reasons", () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(200), (request, now) => {
        const refusal = refusalToPay(request, now);
        const row = { usageLimit: 1, usesCount: 0, usesReserved: 0, isTrial: false };
        const text = describeUnpayable(row, request, refusal);
        const isConfirmed = request.attempts.some(({ status }) => status === "requires_action");
        const isExplained = refusal === "payment_not_payable" || (refusal === "payment_processing" && isConfirmed);
        expect(text !== undefined).toBe(isExplained);
        if (text?.includes("disputed")) expect(request.attempts.map((one) => one.disputeStatus)).toContain("open");
      }),
      { numRuns: 10_000 },
    );
  });

  it("has a row in the transition table, which contains only statuses", () => {
    expect(Object.keys(next).sort()).toEqual([...paymentStatuses].sort());
    for (const followers of Object.values(next)) {
      for (const status of followers) expect(paymentStatuses).toContain(status);
    }
  });
});
