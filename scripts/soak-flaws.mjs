// Known flaws, each put back into the product for one run of the soak, which must then find a violation.
import path from "node:path";

const isRefunded = "facts.attempts.some(({ amountRefunded }) => amountRefunded > 0)";

/** By the name under which `npm run soak -- --flaw <name>` plants it. */
export const flaws = {
  "hidden-attempt": {
    title: "after a refund, an attempt in progress does not keep a second card from paying",
    file: "server/domains/payments/rules.ts",
    original: "if (facts.attempts.some((attempt) => isBusy(attempt) || isOpenHold(attempt, now)))",
    flawed: `if (!${isRefunded} && facts.attempts.some((attempt) => isBusy(attempt) || isOpenHold(attempt, now)))`,
  },
  "reopened-link": {
    title: "after a refund, an expired payment request can be paid",
    file: "server/domains/payments/rules.ts",
    original: "if (isOver) return",
    flawed: `if (!${isRefunded} && isOver) return`,
  },
  "late-charge": {
    title: "a charge that was given up is made when its request arrives late",
    file: "server/domains/transactions/look-up.ts",
    original: "return provider.giveUp({ idempotencyKey: id, amount, currency, captureMethod }, signal);",
    flawed: `return { kind: "charge", reference: null, status: "declined", amountCaptured: 0, actionUrl: null, method: null,
      failure: { code: "not_received", message: "" } };`,
  },
  "closed-hold": {
    title: "an authorization that is no longer open decides until when a later one can be captured",
    file: "server/domains/payments/from-attempts.ts",
    original: `status === "authorized" && captureBefore !== null ? [captureBefore] : [],`,
    flawed: "status && captureBefore !== null ? [captureBefore] : [],",
  },
  "quantity-bound": {
    title: "the payer of a reusable link may choose more than its largest quantity",
    file: "server/domains/payments/links/rules.ts",
    original: "if (range && (quantity < range.minimum || quantity > range.maximum)) return null;",
    flawed: "if (range && quantity < range.minimum) return null;",
  },
  "amount-bound": {
    title: "the payer of a reusable link may choose more than its largest amount",
    file: "server/domains/payments/links/rules.ts",
    original: `if (amount > custom.maximum) return { problem: "use_amount_too_large" };`,
    flawed: `if (amount < 0) return { problem: "use_amount_too_large" };`,
  },
  "unseen-total": {
    title: "a use of a link may cost something else than its page showed",
    file: "server/domains/payments/operations/use-link.ts",
    original: "payment.customAmount === null && price.amount !== form.price;",
    flawed: "payment.customAmount === null && form.price === null;",
  },
  "two-payments": {
    title: "a payer whose payment is under way may begin another one through the same link",
    file: "server/domains/payments/links/own-use.ts",
    original: "emailKey: foldEmail(email) }",
    flawed: "emailKey: foldEmail(link.id) }",
  },
  "other-spelling": {
    title: "another spelling of an address makes another payer",
    file: "server/domains/payments/links/own-use.ts",
    original: "emailKey: foldEmail(email) }",
    flawed: "emailKey: email }",
  },
  "all-places": {
    title: "one connection may hold more places of a link than its share",
    file: "server/domains/payments/links/reserve-place.ts",
    original: "return heldByOne(places).count >= mostUnconfirmed(link.usageLimit);",
    flawed: "return heldByOne(places).count > mostUnconfirmed(link.usageLimit);",
  },
  "open-while-paused": {
    title: "a paused link takes payments",
    file: "server/domains/payments/links/usage.ts",
    original: `if (isPaused(facts, now)) return "payment_not_payable";`,
    flawed: `if (isPaused(facts, now) && facts.usesCount < 0) return "payment_not_payable";`,
  },
  "early-brake": {
    title: "strangers are slowed down on a link where few cards were declined",
    file: "server/domains/payments/links/brake.ts",
    original: ">= ctx.runtime.env.linkDeclines) return true;",
    flawed: ">= ctx.runtime.env.linkDeclines - 2) return true;",
  },
  "erased-subscriber": {
    title: "a customer whose subscription goes on can be erased",
    file: "server/domains/closing/operations/erase-customer.ts",
    original: "(await haveLive(db, customerIds))",
    flawed: "(await haveLive(db, []))",
  },
  "kept-snapshots": {
    title: "the transactions of an erased customer still name the customer",
    file: "server/domains/closing/erased.ts",
    original: "await eraseOfPayments(tx, ids);",
    flawed: "await eraseOfPayments(tx, []);",
  },
  "kept-mails": {
    title: "mails about the payment requests of an erased customer keep the address",
    file: "server/domains/closing/erased.ts",
    original: "await forgetPayments(tx, ids, about);",
    flawed: "await forgetPayments(tx, [], about);",
  },
  "hidden-report": {
    title: "once a report about a dispute was dismissed, another one is not listed",
    file: "server/domains/transactions/settle.ts",
    original: "unexpectedDisputeAt: ctx.now }",
    flawed: "unexpectedDisputeAt: known ? row.unexpectedDisputeAt : ctx.now }",
  },
  "waiting-payer": {
    title: "a request for a new link still waits after it was dismissed",
    file: "server/domains/payments/operations/dismiss-link-request.ts",
    original: "{ linkAnsweredAt: ctx.now }",
    flawed: "{ linkAnsweredAt: row.createdAt }",
  },
  "old-due-date": {
    title: "an invoice whose due date moves is announced as overdue by the old one",
    file: "server/domains/payments/change.ts",
    original: "await followDueDate(ctx, before, after);",
    flawed: "await followDueDate(ctx, before, before);",
  },
  "due-after-end": {
    title: "an invoice may be due after it has expired",
    file: "server/domains/payments/operations/update.ts",
    original: "checkDueBeforeExpiry({ ...rest, ...columns }, fail);",
    flawed: "checkDueBeforeExpiry({ ...rest, ...columns, dueAt: null }, fail);",
  },
  "renewed-pause": {
    title: "a paused subscription begins new periods",
    file: "server/domains/subscriptions/rules.ts",
    original: `status === "active" || status === "trialing";`,
    flawed: `status === "active" || status === "trialing" || status === "paused";`,
  },
  "first-amount": {
    title: "another amount of a subscription does not count for its next period",
    file: "server/domains/subscriptions/renew.ts",
    original: "const cycle = row.nextCycle;",
    flawed: `const cycle = row.nextCycle;
      const first = await readPayment(ctx.db, row.firstPaymentId);
      row = { ...row, amount: first?.amount ?? 0 };`,
  },
};

/** A plugin of Vite that puts the flaw into its module. Throws if the module no longer has the replaced text. */
export function planting(name) {
  const flaw = flaws[name];
  if (!flaw) throw new Error(`There is no flaw ${name}. Known: ${Object.keys(flaws).join(", ")}.`);
  const module = path.resolve(import.meta.dirname, "..", flaw.file);
  return {
    name: "flaw",
    enforce: "pre",
    transform(code, id) {
      if (id !== module) return null;
      if (!code.includes(flaw.original)) throw new Error(`${flaw.file} has changed: the flaw ${name} does not fit.`);
      return code.replace(flaw.original, flaw.flawed);
    },
  };
}
