// POST /v1/payments/{payment_id}/finalize: makes a draft a payment request that can be paid.

import * as z from "zod";
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import type { Addressed } from "@/server/domains/customers/addressed";
import { isLive } from "@/server/domains/organizations/organization";
import type { WriteContext } from "@/server/kit/context";
import { currentCurrency } from "@/server/kit/fields";
import { type Fail, operation } from "@/server/kit/operation";
import { matchesVersion } from "@/server/kit/version";
import { announce } from "../announce";
import { checkMayRemind } from "../change";
import { checkContent, checkExpiry, columnsOf, contentOf, expiryOf } from "../content";
import { addressColumns, addresseeOfDraft, expectSameAddressee } from "../customers";
import { isDraft } from "../derive";
import { beginFinal, finalColumns } from "../draft";
import { timezoneOf } from "../due-date";
import { issueInvoice } from "../invoices/issue";
import { checkInvoiceDates } from "../invoices/terms";
import { linkSecret } from "../link-secret";
import { isAvailable } from "../rules";
import { payment, paymentId } from "../schema";
import { writeWords } from "../search-words";
import { checkDueBeforeExpiry, checkParts } from "../sense";
import { shownPayment } from "../shown";
import { findPayment, lockPayment, type PaymentRow, updatePayment } from "../store";
import { paymentTag } from "../tag";

export const finalizePayment = operation({
  id: "payments.finalize",
  summary: "Finalize a draft",
  description:
    "Checks it as a new payment request, and gives it its pay link: from now on, the customer can pay. Its expiry, if it " +
    "states none, and its reminders count from now or from its dates. Without `customer_id`, its customer is found or " +
    "made. With `If-Match` and the ETag of the last read, it is refused if the draft has changed in between.",
  access: rules["payments.create"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/finalize", extension: true, etag: paymentTag },
  input: z.strictObject({ payment_id: paymentId }).meta({ id: "FinalizePayment" }),
  output: payment,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    payment_not_found: 400,
    account_not_found: 400,
    account_closed: 400,
    customer_not_found: 400,
    amount_mismatch: 400,
    invoice_number_taken: 400,
    payment_not_payable: 400,
    not_a_draft: 400,
    version_conflict: 400,
  },
  async run({ ctx, input, fail }) {
    const seen = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    const account = await accountFor(ctx, seen.accountId, fail);
    if (!isDraft(seen)) return fail("not_a_draft");
    if (!isAvailable(account)) return fail("payment_not_payable", "Nobody owns the account that is paid.");
    // First, because customers are locked before payment requests.
    const addressed = await addresseeOfDraft(ctx, account, seen, fail);
    const locked = (await lockPayment(ctx.db, seen.id)) ?? fail("payment_not_found");
    if (!isDraft(locked)) return fail("not_a_draft");
    const { ifMatch } = ctx.request;
    if (ifMatch !== null && !matchesVersion(ifMatch, locked.updatedAt)) return fail("version_conflict");
    expectSameAddressee(seen, locked);
    const offsets = locked.draft?.offsets_days ?? null;
    if (offsets) await checkMayRemind(ctx, fail);
    const timezone = await timezoneOf(ctx.db, account);
    const final = await finalized(ctx, locked, { addressed, timezone }, fail);
    const row = await issueInvoice(ctx, account, final, timezone, fail);
    if (row.invoiceNumber !== null) await writeWords(ctx.db, row);
    await beginFinal(ctx, row, offsets);
    ctx.audit({ target: row.id, detail: { account_id: row.accountId } });
    announce(ctx, "payment.finalized", locked, row);
    return shownPayment(ctx, row);
  },
});

async function finalized(
  ctx: WriteContext,
  locked: PaymentRow,
  { addressed, timezone }: { addressed: Addressed; timezone: string },
  fail: Fail<"invalid_request" | "amount_mismatch">,
): Promise<PaymentRow> {
  const content = contentOf(locked, locked.draft?.offsets_days ?? null);
  checkExpiry(content.expires_at, locked.installments, ctx.now, fail);
  checkContent(content, addressed.customer?.email ?? null, fail);
  if (!currentCurrency.safeParse(content.currency).success) {
    return fail("invalid_request", `currency: ${content.currency} has been withdrawn`);
  }
  const columns = columnsOf(content, { timezone, now: ctx.now }, fail);
  checkInvoiceDates(columns.invoice, columns.dueAt, { timezone, now: ctx.now }, fail);
  const expiresAt = expiryOf(content, ctx.now);
  checkParts(columns, ctx.now, fail);
  checkDueBeforeExpiry({ ...columns, expiresAt }, fail);
  const row = await updatePayment(ctx.db, locked.id, {
    ...columns,
    ...addressColumns(addressed),
    ...finalColumns(locked.id, ctx.runtime.keys),
    expiresAt,
    livemode: await isLive(ctx.db, locked.organizationId),
    version: locked.version + 1,
    updatedAt: Math.max(ctx.now, locked.updatedAt + 1),
  });
  if (!row) throw new Error(`The payment request ${locked.id} no longer exists although it was locked.`);
  return row;
}
