// The languages in which customers are addressed, by mails, pages and papers.
import type { Reader } from "@/db/client";
import { readCustomer } from "./store";

interface Speaker {
  locale: string | null;
}

interface Addressing {
  preferences: Speaker;
}

/** The locales (BCP 47) in order of preference: the payment request's own, the customer's, the account's. */
export const localesOf = (
  own: string | null,
  customer: Speaker | null | undefined,
  { preferences }: Addressing,
): (string | null)[] => [own, customer?.locale ?? null, preferences.locale];

/** The same for a payment request whose customer has not been read. */
export async function localesFor(
  q: Reader,
  { locale, customerId }: Speaker & { customerId: string | null },
  account: Addressing,
): Promise<(string | null)[]> {
  return localesOf(locale, customerId === null ? null : await readCustomer(q, customerId), account);
}
