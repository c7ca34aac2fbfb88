// POST /v1/payments/{payment_id}/duplicate: makes a draft that says the same as a payment request.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { isLive } from "@/server/domains/organizations/organization";
import { operation } from "@/server/kit/operation";
import { announce } from "../announce";
import { columnsOf, contentOf } from "../content";
import { addressColumns, addresseeOfCopy, expectSameAddressee } from "../customers";
import { draftColumns } from "../draft";
import { timezoneOf } from "../due-date";
import { notePdfProblem } from "../invoices/pdf-problem";
import { undatedTerms } from "../invoices/terms";
import { linkSecret } from "../link-secret";
import { presentPayment } from "../present";
import { payment, paymentId } from "../schema";
import { writeWords } from "../search-words";
import { findPayment, insertPayment, lockPayment, updatePayment } from "../store";

export const duplicatePayment = operation({
  id: "payments.duplicate",
  summary: "Duplicate a payment request",
  description:
    "Makes a draft for the same account and customer, with the same amount, line items, texts, metadata and smallest " +
    "part, from a payment request in any state. Reference, dates, installments and reminders are left out. If its " +
    "customer was erased, the draft has none.",
  access: rules["payments.create"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/duplicate", extension: true },
  input: z.strictObject({ payment_id: paymentId }).meta({ id: "DuplicatePayment" }),
  output: payment,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    payment_not_found: 400,
    account_not_found: 400,
    account_closed: 400,
    amount_mismatch: 400,
  },
  async run({ ctx, input, fail }) {
    const seen = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    const account = await accountFor(ctx, seen.accountId, fail);
    // First, because customers are locked before payment requests.
    const addressed = await addresseeOfCopy(ctx, seen);
    const source = (await lockPayment(ctx.db, seen.id)) ?? fail("payment_not_found");
    expectSameAddressee(seen, source);
    const none = { reference: null, due_at: null, expires_at: null, installments: null };
    const content = { ...contentOf(source, null), ...none, invoice: undatedTerms(source.invoice) };
    const setting = { timezone: await timezoneOf(ctx.db, account), now: ctx.now };
    const id = ctx.id("pay");
    const inserted = await insertPayment(ctx.db, {
      ...{ id, ...columnsOf(content, setting, fail), ...addressColumns(addressed), ...draftColumns(null) },
      ...{ organizationId: account.organizationId, accountId: account.id },
      livemode: await isLive(ctx.db, account.organizationId),
      ...{ createdAt: ctx.now, updatedAt: ctx.now },
    });
    if (!inserted) throw new Error(`The copy of ${source.id} has a reference.`);
    const row = await notePdfProblem(ctx, account, inserted, setting.timezone);
    await writeWords(ctx.db, row);
    if (source.linkRequestedAt !== null) await updatePayment(ctx.db, source.id, { linkAnsweredAt: ctx.now });
    ctx.audit({ target: row.id, detail: { account_id: row.accountId, type: row.type, copy_of: source.id } });
    announce(ctx, "payment.created", null, row);
    return presentPayment(row, { transactionIds: [], reminders: [], creditNotes: [] }, ctx);
  },
});
