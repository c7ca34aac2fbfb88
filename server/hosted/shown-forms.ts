// The forms of a reusable link that a browser was shown, in a cookie of the link's page: a payer who comes back while a
// payment is under way is led to it, instead of paying again. Without the cookie, pages
// work the same, apart from that.
import { readCookie } from "@/server/domains/sessions/cookie";
import { limits } from "@/server/kit/limits";
import type { PageCall } from "./call";
import { payPathOf } from "./path";

const name = "quittance_forms";
/** Separates the tokens; none contains it. */
const separator = "~";
/** The characters of form tokens. Anything else in the cookie is not ours, and is never sent back. */
const tokenText = /^[\w.-]+$/;

/** The tokens of the forms that this browser was shown, the newest last. */
export const shownForms = ({ headers }: PageCall): string[] =>
  (readCookie(name, headers.get("cookie")) ?? "")
    .split(separator)
    .filter((token) => tokenText.test(token) && token.length <= limits.linkToken)
    .slice(-limits.links.shownForms);

/** The header that makes a form the newest of them. */
export function rememberForm(call: PageCall, linkToken: string, formToken: string): Record<string, string> {
  const others = shownForms(call).filter((token) => token !== formToken);
  const tokens = [...others, formToken].slice(-limits.links.shownForms);
  const secure = call.runtime.env.appUrl.startsWith("https:") ? "; Secure" : "";
  const kept = `Path=${payPathOf(linkToken)}; Max-Age=${limits.payFormMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
  return { "Set-Cookie": `${name}=${tokens.join(separator)}; ${kept}` };
}
