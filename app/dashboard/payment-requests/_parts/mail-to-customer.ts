// The address that opens the reader's mail program with a mail to the customer of a payment request.
import type { Outputs } from "@/app/_trpc/server";
import { localesOf } from "@/server/domains/customers/locales";
import { mailReaderOf } from "@/server/domains/mails/reader";
import type { Payment } from "./payment-parts";

export type Account = Pick<Outputs["accounts"]["get"], "account_name" | "preferences">;

/** A `mailto` address (RFC 6068) with the pay link, in the customer's language, which mails of ours have too. */
export function mailToCustomer(
  { customer, description, amount_due, currency, locale }: Payment,
  url: string,
  account: Account,
  known: { locale: string | null } | null,
): string {
  const { account_name: sender } = account;
  const { t, money } = mailReaderOf(localesOf(locale, known, account), null);
  const values = { sender, amount: money(amount_due, currency) };
  const parts = {
    subject: t("request.subject", values),
    body: [...(description === null ? [] : [description, ""]), t("request.share", values), url].join("\r\n"),
  };
  // Mail programs take a plus sign for itself, so a space cannot be one.
  const query = Object.entries(parts).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  return `mailto:${encodeURIComponent(customer?.email ?? "")}?${query.join("&")}`;
}
