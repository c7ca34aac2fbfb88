// The wire form of what a payment request says about its pay page.
import * as z from "zod";
import { limits } from "@/server/kit/limits";
import { isReturnUrl, placeholder } from "./return-url";

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
