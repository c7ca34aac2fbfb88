// The words by which the card of a transaction is found: its brand and its last four digits.
import type { PaymentMethod } from "@/db/schema/values";

/** The last four digits of the card's number; null for what is no card, and where the provider did not say them. */
export const last4Of = (method: PaymentMethod | null | undefined): string | null => method?.last4 ?? null;

/** What is searched of a payment method. */
export const cardTexts = (method: PaymentMethod | null): readonly (string | null)[] => [
  method?.brand ?? null,
  last4Of(method),
];

/** Words that people write around the last digits of a card, in English and German. No transaction is found by them. */
const fillers = new Set(["card", "ending", "ends", "in", "with", "karte", "endet", "endend", "auf", "mit"]);

/** The searched words; beside four digits without those that only say that these are the end of a card's number. */
export function withoutCardPhrase(words: readonly string[]): readonly string[] {
  return words.some((word) => /^\d{4}$/.test(word)) ? words.filter((word) => !fillers.has(word)) : words;
}
