// Which link of the navigation leads to the page that is open, or to the list that it belongs to.
import { newListOf } from "../payment-requests/_parts/payment-path";

export const home = "/dashboard";

/** `aria-current` of the link to `href` while `path` is open. `type` is that of the form for a new payment request. */
export function currentMark(path: string, type: string | null, href: string): "page" | "true" | undefined {
  if (path === href) return "page";
  const own = newListOf(path, type) ?? path;
  if (own === href) return "true";
  return href !== home && own.startsWith(`${href}/`) ? "true" : undefined;
}
