// What is paid of installments and when the next is due, what a payer can choose, and what a form may charge.
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { chargeOf, choices, type Divisible, optionsOf } from "./choices";
import { installmentsAt, nextDueAt, sharesOf } from "./installments";

const plan = [
  { amount: 100, due_at: 10 },
  { amount: 200, due_at: 20 },
  { amount: 300, due_at: 30 },
];
const by = (amountPaid: number, more: Partial<Divisible> = {}): Divisible => ({
  ...{ amount: 600, currency: "EUR", amountPaid, amountReopened: 0, amountWaived: 0, canceledAt: null },
  ...{ allowPartial: false, minimumAmount: null, installments: plan },
  ...more,
});
const free = (amountPaid: number, minimumAmount: number | null): Divisible =>
  by(amountPaid, { allowPartial: true, minimumAmount, installments: null });

describe("installments", () => {
  it("money counts towards the oldest one that is not paid in full", () => {
    const sharesAfter = (paid: number) => sharesOf(plan, paid).map(({ amountPaid }) => amountPaid);
    expect(sharesAfter(0)).toEqual([0, 0, 0]);
    expect(sharesAfter(150)).toEqual([100, 50, 0]);
    expect(sharesAfter(600)).toEqual([100, 200, 300]);
    expect(sharesAfter(700)).toEqual([100, 200, 300]);
  });

  it("the due date moves on with what is paid, and stays at the last one", () => {
    expect([0, 99, 100, 299, 300, 599, 600].map((paid) => nextDueAt(plan, paid))).toEqual([10, 10, 20, 20, 30, 30, 30]);
  });

  it("one is overdue after its due date, and ends with its payment request", () => {
    const statuses = (paid: number, now: number, status: "pending" | "expired" | "canceled" = "pending") =>
      installmentsAt({ installments: plan, amountPaid: paid }, status, now).map((one) => one.status);
    expect(statuses(0, 10)).toEqual(["due", "upcoming", "upcoming"]);
    expect(statuses(0, 11)).toEqual(["overdue", "upcoming", "upcoming"]);
    expect(statuses(50, 21)).toEqual(["overdue", "overdue", "upcoming"]);
    expect(statuses(100, 11)).toEqual(["paid", "due", "upcoming"]);
    expect(statuses(100, 50, "canceled")).toEqual(["paid", "ended", "ended"]);
    expect(statuses(150, 50, "expired")).toEqual(["paid", "ended", "ended"]);
    expect(statuses(600, 50)).toEqual(["paid", "paid", "paid"]);
  });
});

describe("the choices", () => {
  it("are the next installment, what is overdue, and all, each only where it differs", () => {
    const offered = (paid: number, now: number) => optionsOf(by(paid), now).fixed.map(Object.values);
    expect(offered(0, 5)).toEqual([
      ["next", 100],
      ["all", 600],
    ]);
    expect(offered(0, 15)).toEqual([
      ["next", 100],
      ["all", 600],
    ]);
    expect(offered(0, 25)).toEqual([
      ["next", 100],
      ["overdue", 300],
      ["all", 600],
    ]);
    expect(offered(50, 25)).toEqual([
      ["next", 50],
      ["overdue", 250],
      ["all", 550],
    ]);
    expect(offered(0, 35)).toEqual([
      ["next", 100],
      ["all", 600],
    ]);
    expect(offered(300, 5)).toEqual([["all", 300]]);
    expect(optionsOf(by(0), 5).own).toBeNull();
  });

  it("include an own amount while a part can leave the minimum", () => {
    expect(optionsOf(free(0, 200), 0).own).toEqual({ least: 200, most: 400 });
    expect(optionsOf(free(200, 200), 0).own).toEqual({ least: 200, most: 200 });
    expect(optionsOf(free(201, 200), 0).own).toBeNull();
    expect(optionsOf(free(599, null), 0).own).toBeNull();
    expect(optionsOf(by(0, { installments: null }), 0)).toEqual({ fixed: [{ choice: "all", amount: 600 }], own: null });
  });
});

describe("the form of a page", () => {
  const charged = (
    row: Divisible,
    choice: (typeof choices)[number],
    amount: number | null,
    due: number | null,
    now = 5,
  ) => Object.values(chargeOf(row, { choice, amount, due }, now))[0];

  it("charges what the page showed", () => {
    expect(charged(by(0), "next", 100, 600)).toBe(100);
    expect(charged(by(0), "overdue", 300, 600, 25)).toBe(300);
    expect(charged(by(0), "all", 600, 600)).toBe(600);
    expect(charged(free(0, 100), "own", 250, 600)).toBe(250);
  });

  it("charges nothing once any amount on the page is another one", () => {
    const changed = "amount_changed";
    const equal = by(100, {
      amount: 200,
      installments: [plan[0], { amount: 100, due_at: 20 }].flatMap((one) => one ?? []),
    });
    // The next installment costs as much as the one that the payer saw, but is another one.
    expect(charged(equal, "next", 100, 200)).toBe(changed);
    expect(charged(by(100), "all", 600, 600)).toBe(changed);
    expect(charged(by(0), "next", 200, 600)).toBe(changed);
    expect(charged(by(0), "overdue", 100, 600, 25)).toBe(changed);
    expect(charged(by(0), "overdue", 300, 600, 5)).toBe(changed);
    expect(charged(free(100, 100), "own", 250, 600)).toBe(changed);
    expect(charged(by(0), "own", 250, 600)).toBe(changed);
  });

  it("must tell the amounts, unless everything is paid at once", () => {
    const whole = by(0, { installments: null });
    expect(charged(whole, "all", null, null)).toBe(600);
    expect(charged(whole, "all", null, 600)).toBe(600);
    expect(charged(whole, "all", null, 500)).toBe("amount_changed");
    expect(charged(whole, "next", null, null)).toBe("amount_changed");
    expect(charged(by(0), "all", null, null)).toBe("amount_changed");
    expect(charged(free(0, null), "all", null, null)).toBe("amount_changed");
  });

  it("says what is wrong with an own amount", () => {
    const own = (amount: number | null) => charged(free(300, 100), "own", amount, 300);
    expect(own(null)).toBe("amount_invalid");
    expect(own(0)).toBe("amount_invalid");
    expect(own(99)).toBe("amount_too_small");
    expect(own(100)).toBe(100);
    expect(own(200)).toBe(200);
    expect(own(201)).toBe("amount_leaves_too_little");
    expect(own(300)).toBe(300);
    expect(own(301)).toBe("amount_too_large");
    // The rest may be paid below the minimum.
    expect(charged(free(550, 100), "own", 50, 50)).toBe(50);
    expect(charged(free(550, 100), "all", 50, 50)).toBe(50);
  });
});

const terms = fc
  .record({
    parts: fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 36 }),
    isPlan: fc.boolean(),
    minimum: fc.option(fc.integer({ min: 1, max: 2000 })),
  })
  .map(({ parts, isPlan, minimum }): Divisible & { amount: number } => {
    const amount = parts.reduce((sum, part) => sum + part, 0);
    const installments = isPlan ? parts.map((part, i) => ({ amount: part, due_at: 10 * (i + 1) })) : null;
    const minimumAmount = isPlan || minimum === null ? null : Math.min(minimum, amount);
    const paid = { amountPaid: 0, amountReopened: 0, amountWaived: 0, canceledAt: null };
    return { amount, currency: "EUR", ...paid, allowPartial: !isPlan, minimumAmount, installments };
  });
const turn = fc.record({ choice: fc.constantFrom(...choices), drawn: fc.nat(), now: fc.nat(400) });

test("any sequence of choices pays the amount exactly, and installments add up at every step", () => {
  fc.assert(
    fc.property(terms, fc.array(turn, { maxLength: 60 }), (first, turns) => {
      let row = first;
      for (const { choice, drawn, now } of turns) {
        const due = row.amount - row.amountPaid;
        if (due === 0) break;
        const { fixed, own } = optionsOf(row, now);
        const amount =
          choice === "own" ? drawn % (due + 2) : (fixed.find((one) => one.choice === choice)?.amount ?? null);
        const charge = chargeOf(row, { choice, amount, due }, now);
        const isOffered = choice === "own" ? row.allowPartial : amount !== null;
        if ("problem" in charge) {
          if (isOffered && choice !== "own") throw new Error(`${choice} was offered and refused: ${charge.problem}`);
          continue;
        }
        expect(isOffered).toBe(true);
        const rest = due - charge.amount;
        const least = Math.max(row.minimumAmount ?? 50, 50, row.amount / 100);
        if (choice === "own" && rest > 0) {
          expect(charge.amount).toBeGreaterThanOrEqual(least);
          expect(rest).toBeGreaterThanOrEqual(least);
          expect(own).not.toBeNull();
        }
        row = { ...row, amountPaid: row.amountPaid + charge.amount };
        expect(row.amountPaid).toBeLessThanOrEqual(row.amount);
        const shares = sharesOf(row.installments ?? [], row.amountPaid);
        const sum = shares.reduce((total, one) => total + one.amountPaid, 0);
        if (row.installments) expect(sum).toBe(row.amountPaid);
      }
      // Whatever was chosen before, all that is left can be paid.
      const due = row.amount - row.amountPaid;
      if (due > 0) expect(chargeOf(row, { choice: "all", amount: due, due }, 0)).toEqual({ amount: due });
    }),
  );
});
