// POST /v1/payments: creates a payment request and its pay link.
import type { LineItem } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { schedule } from "@/server/domains/jobs/queue";
import { isLive } from "@/server/domains/organizations/organization";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { type Fail, operation } from "@/server/kit/operation";
import { addressedTo } from "../customers";
import { newLink } from "../link";
import { linkSecret } from "../link-secret";
import { mailRequest } from "../mail-request";
import { presentPayment } from "../present";
import { planReminders, reminderBase } from "../reminder-plan";
import { defaultExpiryMs, isAvailable, longestExpiryMs, sumOf } from "../rules";
import { type NewPayment, newPayment, payment } from "../schema";
import { writeWords } from "../search-words";
import { insertPayment } from "../store";

export const createPayment = operation({
  id: "payments.create",
  summary: "Create a payment request",
  description: "Requests payment for a product, a subscription or an invoice. The customer pays at `payment_url`.",
  access: rules["payments.create"],
  accessFor: (input) => (input.send || input.reminders ? rules["mails.send"] : rules["payments.create"]),
  effect: "write",
  rest: { method: "POST", path: "/v1/payments" },
  input: newPayment,
  output: payment,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    account_not_found: 400,
    account_closed: 400,
    customer_not_found: 400,
    amount_mismatch: 400,
    duplicate_reference: 400,
    payment_not_payable: 400,
  },
  async run({ ctx, input, fail }) {
    const account = await accountFor(ctx, input.account_id, fail);
    if (input.send && !isAvailable(account)) return fail("payment_not_payable");
    const given = newRow(ctx, input, fail);
    const { customerId, customer } = await addressedTo(ctx, account, input.customer, fail);
    const to = customer?.email ?? null;
    if (input.send && to === null) return fail("invalid_request", "customer.email: is required to send it");
    if (input.reminders && to === null) return fail("invalid_request", "customer.email: is required for reminders");
    const row = await insertPayment(ctx.db, {
      ...given,
      customerId,
      customer,
      customerEmailKey: to && foldEmail(to),
      organizationId: account.organizationId,
      accountId: account.id,
      livemode: await isLive(ctx.db, account.organizationId),
    });
    if (!row) return fail("duplicate_reference");
    await writeWords(ctx.db, row);
    const { id: objectId, organizationId, expiresAt } = row;
    if (expiresAt !== null) {
      await schedule(ctx, { kind: "payments.expire", organizationId, objectId, runAt: expiresAt });
    }
    const base = reminderBase(row);
    const offsets = input.reminders?.offsets_days;
    const reminders = offsets && base !== null ? await planReminders(ctx, row, base, offsets) : [];
    ctx.audit({ target: row.id, detail: { account_id: row.accountId, type: row.type } });
    ctx.emit({
      type: "payment.created",
      object: row.id,
      accountId: row.accountId,
      first: true,
      data: {
        payment_id: row.id,
        status: row.status,
        previous_status: null,
        amount: row.amount,
        currency: row.currency,
        livemode: row.livemode,
      },
    });
    if (input.send && to !== null) await mailRequest(ctx, account, row, { kind: "payment_request", to, message: null });
    return presentPayment(row, { transactionIds: [], reminders }, ctx);
  },
});

type Refusal = Fail<"invalid_request" | "amount_mismatch">;

function newRow(ctx: WriteContext, input: NewPayment, fail: Refusal) {
  const id = ctx.id("pay");
  const lineItems = (input.line_items ?? []).map(completeLine);
  return {
    id,
    type: input.type,
    status: "pending" as const,
    amount: amountOf(input.amount ?? null, lineItems, fail),
    currency: input.currency,
    description: input.description ?? null,
    reference: input.reference ?? null,
    lineItems,
    subscription: input.subscription
      ? {
          ...input.subscription,
          trial_days: input.subscription.trial_days ?? null,
          cycles: input.subscription.cycles ?? null,
        }
      : null,
    captureMethod: input.capture_method,
    successUrl: input.success_url ?? null,
    locale: input.locale ?? null,
    metadata: input.metadata ?? {},
    dueAt: input.due_at ?? null,
    expiresAt: expiryOf(input, ctx.now, fail),
    ...newLink(ctx.runtime.keys, id),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
}

const completeLine = (line: NonNullable<NewPayment["line_items"]>[number]): LineItem => ({
  ...line,
  tax_rate_bp: line.tax_rate_bp ?? null,
  discount_amount: line.discount_amount ?? null,
});

function amountOf(given: number | null, lines: readonly LineItem[], fail: Refusal): number {
  if (lines.length === 0 && given !== null) return given;
  const sum = sumOf(lines);
  if ("problem" in sum) {
    return fail(
      "invalid_request",
      sum.problem === "out_of_range"
        ? `line_items: their sum must be from 1 to ${limits.amount}`
        : `line_items[${sum.line}].discount_amount: is larger than the line's amount`,
    );
  }
  if (given !== null && given !== sum.amount) {
    return fail("amount_mismatch", `The line items add up to ${sum.amount}, not to ${given}.`);
  }
  return sum.amount;
}

function expiryOf(input: NewPayment, now: number, fail: Refusal): number | null {
  if (input.expires_at == null) return input.type === "invoice" ? null : now + defaultExpiryMs;
  if (input.expires_at <= now) return fail("invalid_request", "expires_at: must be in the future");
  if (input.expires_at > now + longestExpiryMs) {
    return fail("invalid_request", `expires_at: must be at most ${limits.expiryDays.longest} days from now`);
  }
  return input.expires_at;
}
