// Reads the sandbox's card form. It accepts test cards only.
import type { PaymentMethod } from "@/db/schema/values";
import { hourMs } from "@/server/kit/limits";
import { type TestCard, testCards } from "./test-cards";

export interface CheckedCard {
  number: string;
  securityCode: string;
  card: TestCard;
  method: PaymentMethod;
}

/** What is wrong with a field, as a code that the page translates. */
type CardProblem = "number_invalid" | "number_not_test" | "expiry_invalid" | "expiry_past" | "security_code_invalid";

/** Checks the card details that a payer entered. `now` in epoch ms decides whether the card has expired. */
export function readCard(
  details: Readonly<Record<string, string>>,
  now: number,
): { checked: CheckedCard } | { problems: CardProblem[] } {
  const number = (details.card_number ?? "").replace(/[\s-]/g, "");
  const card = testCards.get(number);
  const expiry = readExpiry(details.expiry ?? "");
  const securityCode = (details.security_code ?? "").trim();
  const problems: CardProblem[] = [];
  if (!card) problems.push(passesLuhn(number) ? "number_not_test" : "number_invalid");
  if (!expiry) problems.push("expiry_invalid");
  else if (hasEnded(expiry, now)) problems.push("expiry_past");
  if (!fitsSecurityCode(securityCode, card)) problems.push("security_code_invalid");
  if (!card || !expiry || problems.length > 0) return { problems };
  const method: PaymentMethod = {
    type: "card",
    brand: card.brand,
    last4: number.slice(-4),
    exp_month: expiry.month,
    exp_year: expiry.year,
  };
  return { checked: { number, securityCode, card, method } };
}

/** The checksum of card numbers (ISO/IEC 7812-1, annex B), over 12 to 19 digits. */
export function passesLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  let sum = 0;
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** `12/30`, `12 / 2030`, `1230`. */
function readExpiry(text: string): { month: number; year: number } | null {
  const [, month, year] = /^(0?[1-9]|1[0-2])\s*[/-]\s*(\d{2}|\d{4})$/.exec(text.trim()) ?? splitDigits(text.trim());
  if (!month || !year) return null;
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}

const splitDigits = (text: string): readonly (string | undefined)[] =>
  /^(0[1-9]|1[0-2])(\d{2}|\d{4})$/.exec(text) ?? [];

/** A card expires at the end of its month in the last time zone: twelve hours after the end of the month in UTC. */
export function hasEnded({ month, year }: { month: number; year: number }, now: number): boolean {
  return now >= Date.UTC(year, month) + 12 * hourMs;
}

/** American Express security codes have four digits, all others three. */
function fitsSecurityCode(code: string, card: TestCard | undefined): boolean {
  if (!card) return /^\d{3,4}$/.test(code);
  return card.brand === "amex" ? /^\d{4}$/.test(code) : /^\d{3}$/.test(code);
}
