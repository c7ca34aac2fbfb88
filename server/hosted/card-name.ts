// A card as its holder knows it: the brand and the last four digits.
import { brandName } from "@/server/kit/card-brands";
import type { Reader } from "./reader";

/** "Visa ending in 4242", in the reader's language. */
export function cardName({ brand, last4 }: { brand: string | null; last4: string }, t: Reader["t"]): string {
  const name = brandName(brand);
  return name === undefined ? t("cardUnknown", { last4 }) : t("card", { brand: name, last4 });
}
