// The wire form of what a payment request says about its pay page.
import * as z from "zod";
import { limits } from "@/server/kit/limits";

/** Where the payer goes on. */
export const successUrl = z
  .string()
  .max(limits.url)
  .refine(isSecureUrl, "must be an https address without a user name")
  .meta({ description: "Where the payer can continue after paying.", example: "https://shop.example.com/thanks" });

function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === "https:" && url.username === "" && url.password === "";
}

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
