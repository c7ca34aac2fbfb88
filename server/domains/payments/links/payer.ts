// Who pays through a reusable link, as typed on its page: checked like the customer in a call of the API.
import type * as z from "zod";
import type { Reader } from "@/db/client";
import type { Customer } from "@/db/schema/values";
import type { AccountRow } from "@/server/domains/accounts/store";
import { localesFor } from "@/server/domains/customers/locales";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { type PaymentRow, readPayment } from "../store";
import { subscriptions } from "../subscriptions";

type Mailed = Pick<PaymentRow, "parentPaymentId" | "livemode" | "isRenewal" | "subscriptionId">;

/**
 * Whether mails go to the customer without anybody asking. In the sandbox anyone can pay through a reusable link with a
 * test card, and would choose who gets mail. The same goes for the renewals of a subscription that began that way.
 */
export async function mayMailPayer(q: Reader, row: Mailed): Promise<boolean> {
  if (row.livemode) return true;
  if (!row.isRenewal || row.subscriptionId === null) return row.parentPaymentId === null;
  const first = await readPayment(q, await subscriptions().firstPaymentId(q, row.subscriptionId));
  return first?.parentPaymentId === null;
}

/**
 * The locales of a page for the payer, in order of preference. On a use of a reusable link, the customer's own is left
 * out: the typed address may be somebody else's, and the payer must not learn whether a customer has it.
 */
export const localesForPayer = (
  q: Reader,
  { locale, customerId, parentPaymentId }: Pick<PaymentRow, "locale" | "customerId" | "parentPaymentId">,
  account: AccountRow,
): Promise<(string | null)[]> =>
  localesFor(q, { locale, customerId: parentPaymentId === null ? customerId : null }, account);

export const payerProblems = [
  "email_missing",
  "email_too_long",
  "email_invalid",
  "name_too_long",
  "name_invalid",
] as const;

type PayerProblem = (typeof payerProblems)[number];

const problemsOf = (field: "email" | "name", value: string, schema: z.ZodType, most: number): PayerProblem[] => {
  if (value.length > most) return [`${field}_too_long`];
  return schema.safeParse(value).success ? [] : [`${field}_invalid`];
};

/** The payer with this name, which may be left out, and address; or what is wrong with them. */
export function payerOf(typed: { name: string; email: string }): { customer: Customer } | { problems: PayerProblem[] } {
  const [name, email] = [typed.name.trim(), typed.email.trim()];
  const problems: PayerProblem[] = [
    ...(name === "" ? [] : problemsOf("name", name, fields.name, limits.name)),
    ...(email === "" ? (["email_missing"] as const) : problemsOf("email", email, fields.email, limits.email)),
  ];
  if (problems.length > 0) return { problems };
  return { customer: { name: name === "" ? null : name, email, reference: null, metadata: {} } };
}
