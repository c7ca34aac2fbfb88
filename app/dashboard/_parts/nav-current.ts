// Which link of the navigation leads to the page that is open, or to the list that it belongs to.
import { newListOf } from "../payment-requests/_parts/payment-path";

export const home = "/dashboard";

interface Page {
  path: string;
  /** Of the form for a new payment request. */
  type: string | null;
  /** The list that the page says it belongs to. */
  list: string | null;
}

/** `aria-current` of the link to `href` while the page is open. */
export function currentMark({ path, type, list }: Page, href: string): "page" | "true" | undefined {
  if (path === href) return "page";
  const own = list ?? newListOf(path, type) ?? path;
  if (own === href) return "true";
  return href !== home && own.startsWith(`${href}/`) ? "true" : undefined;
}
