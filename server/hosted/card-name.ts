// A card as its holder knows it: the brand and the last four digits.
import type { Reader } from "./reader";

const brands: Readonly<Record<string, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
};

/** "Visa ending in 4242", in the reader's language. */
export function cardName({ brand, last4 }: { brand: string | null; last4: string }, t: Reader["t"]): string {
  const name = brand === null ? undefined : brands[brand];
  return name === undefined ? t("cardUnknown", { last4 }) : t("card", { brand: name, last4 });
}
