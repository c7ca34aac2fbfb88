// A credit note as it was frozen: behind a pay link, and for those who may see the payment request.
import * as z from "zod";
import { checkMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { visibleAccount } from "@/server/domains/accounts/authorized-account";
import { readCustomer } from "@/server/domains/customers/store";
import { organizationById } from "@/server/domains/organizations/organization";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { creditNotesOfOne } from "../invoices/credit-note-store";
import { issuedCreditNote, presentIssuedCreditNote } from "../invoices/issued-credit-note";
import { isErased, linkHashOf } from "../link";
import { findPageByLink } from "../page-store";
import { paymentId } from "../schema";
import { findPayment } from "../store";

const creditNoteId = fields.id("crn", "The credit note.");

/** For everyone with the link. */
export const paymentCreditNote = operation({
  id: "payments.creditNote",
  summary: "Open a credit note behind a pay link",
  access: rules["pay.link"],
  effect: "read",
  input: z.strictObject({ token: z.string().max(limits.linkToken), credit_note_id: z.string().max(limits.id) }),
  output: issuedCreditNote,
  errors: { payment_not_found: 404 },
  async run({ ctx, input, fail }) {
    const page = (await findPageByLink(ctx.db, linkHashOf(input.token) ?? "malformed")) ?? fail("payment_not_found");
    const notes = await creditNotesOfOne(ctx.db, page.payment.id);
    const note = notes.find(({ id }) => id === input.credit_note_id) ?? fail("payment_not_found");
    // It is kept for the business, not for everyone with the link.
    if (isErased(page.payment)) return fail("payment_not_found");
    return presentIssuedCreditNote(note, page);
  },
});

/** Also after the customer was erased, as long as credit notes are kept. */
export const readIssuedCreditNote = operation({
  id: "payments.issuedCreditNote",
  summary: "Open a credit note of a payment request",
  access: rules["payments.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({ payment_id: paymentId, credit_note_id: creditNoteId }),
  output: issuedCreditNote,
  errors: { payment_not_found: 404, account_not_found: 404, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    // It states the address and the tax number of the customer.
    checkMay("customers.read", ctx.actor, fail);
    const payment = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    const notes = await creditNotesOfOne(ctx.db, payment.id);
    const note = notes.find(({ id }) => id === input.credit_note_id) ?? fail("payment_not_found");
    if (note.erasedAt !== null) return fail("payment_not_found");
    const account = await visibleAccount(ctx, payment.accountId, fail);
    const organization = await organizationById(ctx.db, payment.organizationId);
    const known = payment.customerId === null ? null : await readCustomer(ctx.db, payment.customerId);
    return presentIssuedCreditNote(note, { payment, account, known, organization });
  },
});
