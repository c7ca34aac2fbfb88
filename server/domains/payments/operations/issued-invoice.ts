// The invoice of a payment request for those who may see it, also after its customer was erased. Reads only.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { visibleAccount } from "@/server/domains/accounts/authorized-account";
import { organizationById } from "@/server/domains/organizations/organization";
import { operation } from "@/server/kit/operation";
import { issuedInvoice, presentIssued } from "../invoices/issued";
import { invoiceOf } from "../invoices/store";
import { paymentId } from "../schema";
import { findPayment } from "../store";

export const readIssuedInvoice = operation({
  id: "payments.issuedInvoice",
  summary: "Open the invoice of a payment request",
  access: rules["payments.read"],
  effect: "read",
  input: z.strictObject({ payment_id: paymentId }),
  output: issuedInvoice,
  errors: { payment_not_found: 404, account_not_found: 404, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const payment = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    const issued = (await invoiceOf(ctx.db, payment.id)) ?? fail("payment_not_found");
    const account = await visibleAccount(ctx, payment.accountId, fail);
    const organization = await organizationById(ctx.db, payment.organizationId);
    return presentIssued({ payment, account, organization, issued });
  },
});
