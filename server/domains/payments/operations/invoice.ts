// The invoice as it was frozen when it got its number: behind a pay link, and for those who may see the payment request.
import * as z from "zod";
import { checkMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { visibleAccount } from "@/server/domains/accounts/authorized-account";
import { readCustomer } from "@/server/domains/customers/store";
import { organizationById } from "@/server/domains/organizations/organization";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { issuedInvoice, presentIssued } from "../invoices/issued";
import { invoiceOf } from "../invoices/store";
import { isErased, linkHashOf } from "../link";
import { findPageByLink } from "../page-store";
import { paymentId } from "../schema";
import { findPayment } from "../store";

/** For everyone with the link. */
export const paymentInvoice = operation({
  id: "payments.invoice",
  summary: "Open the invoice behind a pay link",
  access: rules["pay.link"],
  effect: "read",
  input: z.strictObject({ token: z.string().max(limits.linkToken) }),
  output: issuedInvoice,
  errors: { payment_not_found: 404 },
  async run({ ctx, input, fail }) {
    const page = (await findPageByLink(ctx.db, linkHashOf(input.token) ?? "malformed")) ?? fail("payment_not_found");
    const issued = (await invoiceOf(ctx.db, page.payment.id)) ?? fail("payment_not_found");
    // It is kept for the business, not for everyone with the link.
    if (isErased(page.payment)) return fail("payment_not_found");
    return presentIssued({ ...page, issued });
  },
});

/** Also after the customer was erased, as long as invoices are kept. */
export const readIssuedInvoice = operation({
  id: "payments.issuedInvoice",
  summary: "Open the invoice of a payment request",
  access: rules["payments.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({ payment_id: paymentId }),
  output: issuedInvoice,
  errors: { payment_not_found: 404, account_not_found: 404, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    // It states the address and the tax number of the customer.
    checkMay("customers.read", ctx.actor, fail);
    const payment = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    const issued = (await invoiceOf(ctx.db, payment.id)) ?? fail("payment_not_found");
    if (issued.erasedAt !== null) return fail("payment_not_found");
    const account = await visibleAccount(ctx, payment.accountId, fail);
    const organization = await organizationById(ctx.db, payment.organizationId);
    const known = payment.customerId === null ? null : await readCustomer(ctx.db, payment.customerId);
    return presentIssued({ payment, account, known, organization, issued });
  },
});
