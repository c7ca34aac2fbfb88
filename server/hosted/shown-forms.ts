// The forms of reusable links that a browser was shown, in a cookie: a payer who comes back while a payment is under way
// is asked whether to go on with it, instead of paying again. Without the cookie, pages work the same, apart from that.
import { readCookie } from "@/server/domains/sessions/cookie";
import { limits } from "@/server/kit/limits";
import type { PageCall } from "./call";

const isSecure = ({ runtime }: PageCall): boolean => runtime.env.appUrl.startsWith("https:");

/** Other hosts of the domain cannot set a cookie of this prefix (RFC 6265bis, 4.1.3.2). It is of no single path then. */
const nameFor = (call: PageCall): string => (isSecure(call) ? "__Host-quittance_forms" : "quittance_forms");

/** Separates the tokens; none contains it. */
const separator = "~";
/** The characters of form tokens. Anything else in the cookie is not ours, and is never sent back. */
const tokenText = /^[\w.-]+$/;

/** The tokens of the forms that this browser was shown, the newest last. */
export const shownForms = (call: PageCall): string[] =>
  (readCookie(nameFor(call), call.headers.get("cookie")) ?? "")
    .split(separator)
    .filter((token) => tokenText.test(token) && token.length <= limits.linkToken)
    .slice(-limits.links.shownForms);

/**
 * The header that makes a form the newest of them. It can be sent for a day, and is remembered for another one: nobody
 * knows whether the browser will receive the answer to it.
 */
export function rememberForm(call: PageCall, formToken: string): Record<string, string> {
  const others = shownForms(call).filter((token) => token !== formToken);
  const tokens = [...others, formToken].slice(-limits.links.shownForms);
  const seconds = (2 * limits.payFormMs) / 1000;
  const kept = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure(call) ? "; Secure" : ""}`;
  return { "Set-Cookie": `${nameFor(call)}=${tokens.join(separator)}; ${kept}` };
}
