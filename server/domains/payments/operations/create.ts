// POST /v1/payments: creates a payment request and its pay link, or a draft of one.
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { isLive } from "@/server/domains/organizations/organization";
import { operation } from "@/server/kit/operation";
import { announce } from "../announce";
import { checkContent, checkExpiry, checkReturnUrls, columnsOf, expiryOf } from "../content";
import { addressColumns, addresseeOfInput } from "../customers";
import { beginFinal, draftColumns, finalColumns } from "../draft";
import { timezoneOf } from "../due-date";
import { newPayment } from "../input-schema";
import { issueInvoice } from "../invoices/issue";
import { notePdfProblem } from "../invoices/pdf-problem";
import { checkInvoiceDates } from "../invoices/terms";
import { linkSecret } from "../link-secret";
import { mailRequest } from "../mail-request";
import { presentPayment } from "../present";
import { wakingOf } from "../reminder-times";
import { isAvailable } from "../rules";
import { payment } from "../schema";
import { writeWords } from "../search-words";
import { checkDueBeforeExpiry, checkParts, checkReminders } from "../sense";
import { insertPayment } from "../store";

export const createPayment = operation({
  id: "payments.create",
  summary: "Create a payment request",
  description:
    "Requests payment for a product, a subscription or an invoice. The customer pays at `payment_url`. With `draft`, " +
    "nothing is requested yet: a draft can be changed in every field, and finalized when it is complete.",
  access: rules["payments.create"],
  time: "organization",
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
    invoice_number_taken: 400,
    duplicate_reference: 400,
    payment_not_payable: 400,
  },
  async run({ ctx, input, fail }) {
    const account = await accountFor(ctx, input.account_id, fail);
    if (input.send && !isAvailable(account)) return fail("payment_not_payable");
    const setting = { timezone: await timezoneOf(ctx.db, account), now: ctx.now };
    const content = columnsOf(input, setting, fail);
    checkInvoiceDates(content.invoice, content.dueAt, setting, fail);
    checkExpiry(input.expires_at, content.installments, ctx.now, fail);
    const expiresAt = expiryOf(input, ctx.now);
    if (!input.draft) checkParts(content, ctx.now, fail);
    checkDueBeforeExpiry({ ...content, expiresAt }, fail);
    const addressed = await addresseeOfInput(ctx, account, input, fail);
    const to = addressed.customer?.email ?? null;
    if (input.send && to === null) return fail("invalid_request", "customer.email: is required to send it");
    checkContent(input, to, fail);
    const livemode = await isLive(ctx.db, account.organizationId);
    checkReturnUrls(input, livemode, fail);
    const offsets = input.reminders?.offsets_days ?? null;
    const waking = await wakingOf(ctx.db, account);
    if (!input.draft) checkReminders({ ...content, expiresAt }, offsets, { now: ctx.now, waking }, fail);
    const id = ctx.id("pay");
    const inserted = await insertPayment(ctx.db, {
      ...{ id, ...content, ...addressColumns(addressed) },
      ...(input.draft ? draftColumns(offsets) : finalColumns(id, ctx.runtime.keys)),
      // A draft that states no expiry gets it once it is final.
      expiresAt: input.draft ? (input.expires_at ?? null) : expiresAt,
      organizationId: account.organizationId,
      accountId: account.id,
      livemode,
      ...{ createdAt: ctx.now, updatedAt: ctx.now },
    });
    if (!inserted) return fail("duplicate_reference");
    const row = input.draft
      ? await notePdfProblem(ctx, account, inserted, setting.timezone)
      : await issueInvoice(ctx, account, inserted, setting.timezone, fail);
    await writeWords(ctx.db, row);
    const reminders = input.draft ? [] : await beginFinal(ctx, row, offsets);
    ctx.audit({
      target: row.id,
      detail: { account_id: row.accountId, type: row.type, ...(input.draft && { draft: true }) },
    });
    announce(ctx, "payment.created", null, row);
    if (input.send && to !== null) await mailRequest(ctx, account, row, { kind: "payment_request", to, message: null });
    return presentPayment(row, { transactionIds: [], reminders, creditNotes: [] }, ctx);
  },
});
