// What reusable links offer in lives, and what their payers choose and who they are.
import * as fc from "fast-check";
import { smallestPart } from "@/server/kit/currency";
import type { CreateInput } from "../money";
import type { RequestFields } from "../payer";
import type { Payer } from "./steps";
import type { Terms } from "./terms";

/** Who uses a link, and what that payer chooses and sees on its page. */
export interface Use {
  /**
   * Somebody new; a payer who comes back without cookies, also with another spelling of the address, or from another
   * internet connection; or somebody else on the connection of that payer.
   */
  payer: "new" | "same" | "spelled" | "elsewhere" | "neighbor";
  /** How many seats; null for a text that is no number. */
  seats: number | null;
  /** Minor units; null for a text that is no amount. */
  typed: number | null;
  /** Whether the page has shown the total of what was chosen, or another one. */
  sees: "total" | "other";
}

const mostSeats = 4;

export const use = {
  payer: fc.constantFrom<Use["payer"]>("new", "new", "same", "spelled", "elsewhere", "neighbor"),
  seats: fc.constantFrom(null, 0, 1, 1, 2, 3, mostSeats, mostSeats + 1),
  typed: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 2600 }) }, fc.constant(null)),
  sees: fc.constantFrom<Use["sees"]>("total", "total", "total", "other"),
};

const atLeast = (amount: number): number => Math.max(smallestPart("EUR"), Math.ceil(amount));

/** How often a link can be used, and for what. */
export function offerOf({ uses, offer = "fixed", amount }: Terms): RequestFields {
  const usage_limit = uses === "twice" ? 2 : uses === "five" ? 5 : null;
  if (offer === "fixed") return { usage_limit, amount };
  if (offer === "donation") {
    return {
      usage_limit,
      amount: null,
      // No payer may choose less than about half a euro.
      custom_amount: { minimum: atLeast(amount / 2), maximum: atLeast(2 * amount), suggested: atLeast(amount) },
    };
  }
  const seats = {
    name: "Seat",
    quantity: 2,
    unit_amount: amount,
    adjustable_quantity: { minimum: 1, maximum: mostSeats },
  };
  return { usage_limit, amount: null, line_items: [{ name: "Fee", quantity: 1, unit_amount: 100 }, seats] };
}

/** The domain of the customers of an account: no other account, and no other life, has the same addresses. */
const domainOf = (accountId: string): string => `${accountId.replace("_", "-")}.example.com`;

/** The address of a payer and the internet connection. `form` makes those of a new one unique. */
export function payerOf({ payer }: Pick<Use, "payer">, accountId: string, form: string): { email: string; ip: string } {
  const own = Buffer.from(form).toString("hex");
  const domain = domainOf(accountId);
  const same = { email: `same@${domain}`, ip: "203.0.113.7" };
  const email = `payer-${own.slice(-24)}@${domain}`;
  if (payer === "same") return same;
  if (payer === "spelled") return { ...same, email: `SAME@${domain}` };
  if (payer === "elsewhere") return { ...same, ip: "198.51.100.9" };
  if (payer === "neighbor") return { ...same, email };
  return { email, ip: `2001:db8:${own.slice(0, 4)}:${own.slice(4, 8)}::1` };
}

/** The address of a customer of the account. */
export const emailOf = (customer: number, accountId: string): string => `Customer.${customer}@${domainOf(accountId)}`;

/** The customer of what is recorded as received by an account. */
export function customerFields(accountId: string, payer: Payer): CreateInput["customer"] {
  if (payer === null) return null;
  return payer === "named" ? { name: "Walk-in" } : { name: "Ada Lovelace", email: emailOf(payer, accountId) };
}
