// The wire form of what a payment request says about its pay page.
import * as z from "zod";
import { limits } from "@/server/kit/limits";

/** What the id of the payment request replaces in an address. */
const placeholder = "{payment_id}";

const returnUrl = (description: string, example: string) =>
  z
    .string()
    .max(limits.url)
    .refine(isReturnUrl, "must be an https address without a user name; in the sandbox, also http on this computer")
    .meta({
      description: `${description} An https address or, in the sandbox, http on \`localhost\`, \`127.0.0.1\` or \`[::1]\`. \`${placeholder}\` in it is replaced by the id of the payment request.`,
      example,
    });

/** Where the payer goes on. */
export const successUrl = returnUrl(
  "Where the payer can continue after paying.",
  "https://shop.example.com/thanks?payment={payment_id}",
);

/** Where the payer goes back. */
export const cancelUrl = returnUrl(
  "Where the payer can go back to without paying, as long as the payment request is open.",
  "https://shop.example.com/cart",
);

/** Spaces, control characters and invisible ones. */
const hasHidden = /[\s\p{Cc}\p{Cf}]/u;

function isReturnUrl(text: string): boolean {
  if (hasHidden.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === "https:" || isOnThisComputer(url)) && url.username === "" && url.password === "";
}

/** Whether it is http on a loopback address (RFC 6761, RFC 8252 section 7.3). */
const isOnThisComputer = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

/** Whether the address only works where the payer's browser and the shop are on one computer. */
export const isForSandbox = (text: string): boolean => isOnThisComputer(new URL(text));

/** The address with the id of the payment request in it; null if there is none. */
export const returnUrlOf = (text: string | null, paymentId: string): string | null =>
  text?.replaceAll(placeholder, paymentId) ?? null;

/** The language of the pay page. */
export const locale = z
  .string()
  .max(limits.languageTag)
  .refine(isLocale, "must be a language tag such as de or pt-BR")
  .meta({ description: "BCP 47 language tag of the pay page.", example: "de" });

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
