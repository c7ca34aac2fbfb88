// Every posting template: what it debits and credits, and which journals are invalid.

import { describe, expect, it } from "vitest";
import { disputeLost, disputeOpened, disputeWon } from "./dispute-journals";
import {
  adjustment,
  assertBalanced,
  authorizationOpened,
  authorizationReleased,
  captured,
  goodwillCredit,
  type Journal,
  ledgerAccountId,
  normalSide,
  offlinePayment,
  refundCreated,
  refundFailed,
  refundReturned,
  refundSucceeded,
  transfer,
} from "./rules";

const money = { accountId: "acct_1", amount: 700, currency: "EUR" };

/** `debit org:bank 700`, one text per line. */
const linesOf = (journal: Journal) =>
  journal.postings.map(
    ({ account, side, amount }) => `${side} ${account.accountId ?? "org"}:${account.name} ${amount}`,
  );

const templates: [string, Journal, string[]][] = [
  ["offline payment", offlinePayment(money), ["debit org:bank 700", "credit acct_1:available 700"]],
  [
    "capture",
    captured({ ...money, provider: "sandbox" }),
    ["debit org:provider:sandbox:clearing 700", "credit acct_1:available 700"],
  ],
  [
    "final capture of part of a hold",
    captured({ ...money, provider: "sandbox", heldAmount: 700, releasedAmount: 300 }),
    [
      "debit org:provider:sandbox:clearing 700",
      "credit acct_1:available 700",
      "debit org:memo:auth_contra 1000",
      "credit acct_1:memo:auth_open 1000",
    ],
  ],
  ["authorization", authorizationOpened(money), ["debit acct_1:memo:auth_open 700", "credit org:memo:auth_contra 700"]],
  ["release", authorizationReleased(money), ["debit org:memo:auth_contra 700", "credit acct_1:memo:auth_open 700"]],
  ["refund created", refundCreated(money), ["debit acct_1:available 700", "credit acct_1:refund_pending 700"]],
  [
    "refund succeeded with the provider",
    refundSucceeded({ ...money, provider: "sandbox" }),
    ["debit acct_1:refund_pending 700", "credit org:provider:sandbox:clearing 700"],
  ],
  [
    "refund succeeded from the bank",
    refundSucceeded({ ...money, provider: null }),
    ["debit acct_1:refund_pending 700", "credit org:bank 700"],
  ],
  ["refund failed", refundFailed(money), ["debit acct_1:refund_pending 700", "credit acct_1:available 700"]],
  [
    "refund returned",
    refundReturned({ ...money, provider: "sandbox" }),
    ["debit org:provider:sandbox:clearing 700", "credit acct_1:available 700"],
  ],
  [
    "dispute opened",
    disputeOpened({ ...money, provider: "sandbox" }),
    [
      ...["debit acct_1:available 700", "credit acct_1:held 700"],
      ...["debit org:dispute:in_flight 700", "credit org:provider:sandbox:clearing 700"],
    ],
  ],
  [
    "dispute won",
    disputeWon({ ...money, provider: "sandbox" }),
    [
      ...["debit acct_1:held 700", "credit acct_1:available 700"],
      ...["debit org:provider:sandbox:clearing 700", "credit org:dispute:in_flight 700"],
    ],
  ],
  [
    "dispute lost",
    disputeLost({ ...money, provider: "sandbox" }),
    ["debit acct_1:held 700", "credit org:dispute:in_flight 700"],
  ],
  ["credit", goodwillCredit(money), ["debit org:expense:goodwill 700", "credit acct_1:available 700"]],
  [
    "transfer",
    transfer({ from: "acct_1", to: "acct_2", amount: 700, currency: "EUR" }),
    ["debit acct_1:available 700", "credit acct_2:available 700"],
  ],
  [
    "adjustment in",
    adjustment({ ...money, direction: "in" }),
    ["debit org:suspense:adjust 700", "credit acct_1:available 700"],
  ],
  [
    "adjustment out",
    adjustment({ ...money, direction: "out" }),
    ["debit acct_1:available 700", "credit org:suspense:adjust 700"],
  ],
];

describe("templates", () => {
  it.each(templates)("%s", (_name, journal, lines) => {
    expect(linesOf(journal)).toEqual(lines);
    expect(journal.currency).toBe("EUR");
    expect(() => assertBalanced(journal)).not.toThrow();
  });
});

describe("a journal", () => {
  const withAmounts = (debit: number, credit: number): Journal => ({
    event: "credit_granted",
    currency: "EUR",
    postings: [
      { account: { accountId: null, name: "bank", forAccountId: "acct_1" }, side: "debit", amount: debit },
      { account: { accountId: "acct_1", name: "available" }, side: "credit", amount: credit },
    ],
  });

  it.each([0, -5, 1.5, Number.NaN, 1_000_000_000_000, 2 ** 53])("refuses the amount %d", (amount) => {
    expect(() => assertBalanced(withAmounts(amount, amount))).toThrow(RangeError);
  });

  it("refuses debits that differ from credits", () => {
    expect(() => assertBalanced(withAmounts(5, 6))).toThrow(/differ by -1/);
  });

  it("refuses fewer than two lines", () => {
    expect(() => assertBalanced({ ...withAmounts(1, 1), postings: [] })).toThrow(/two lines/);
  });
});

describe("ledger accounts", () => {
  it("say owner, name, currency, and whether the money is real", () => {
    const clearing = { accountId: null, name: "provider:sandbox:clearing", forAccountId: "acct_1" } as const;
    const own = { accountId: "acct_1", name: "refund_pending" } as const;
    const id = (livemode: boolean) => (account: typeof clearing | typeof own) =>
      ledgerAccountId({ organizationId: "org_1", livemode }, account, "JPY");
    expect([clearing, own].map(id(false))).toEqual([
      "org_1/acct_1:provider:sandbox:clearing:JPY",
      "acct_1:refund_pending:JPY",
    ]);
    expect([clearing, own].map(id(true))).toEqual([
      "org_1/acct_1:provider:sandbox:clearing:JPY:live",
      "acct_1:refund_pending:JPY:live",
    ]);
  });

  it("grow on their normal side", () => {
    const debit = ["bank", "provider:x:clearing", "expense:goodwill", "memo:auth_open"] as const;
    const credit = ["available", "refund_pending", "suspense:adjust", "memo:auth_contra"] as const;
    expect(debit.map(normalSide)).toEqual(debit.map(() => "debit"));
    expect(credit.map(normalSide)).toEqual(credit.map(() => "credit"));
  });
});
