// The invoice behind a pay link, as it was frozen when it got its number. Reads only.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { issuedInvoice, presentIssued } from "../invoices/issued";
import { invoiceOf } from "../invoices/store";
import { isErased, linkHashOf } from "../link";
import { findPageByLink } from "../page-store";

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
