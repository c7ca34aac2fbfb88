// Which page was before a page of a list, remembered for the browser's tab. An address has room for only the last few.
import { type ListQuery, listAddress, newerPage } from "./list-query";

type Store = Pick<Storage, "getItem" | "setItem">;

const keyOf = ({ shape, cursor }: ListQuery): string => `newer:${shape.path}:${cursor}`;

/** Remembers the address of the page before this one, if this page's address leads to it. */
export function rememberNewer(store: Store, query: ListQuery): void {
  const newer = newerPage(query);
  if (query.cursor === null || !newer) return;
  try {
    store.setItem(keyOf(query), listAddress(query, newer));
  } catch {
    // There is no room, or the browser stores nothing: the link leads to the first page.
  }
}

/** The address of the page before this one, if this page's address no longer leads to it; null if it is not known. */
export function recalledNewer(store: Store, query: ListQuery): string | null {
  if (query.cursor === null || newerPage(query)) return null;
  try {
    const address = store.getItem(keyOf(query));
    return address?.startsWith(`${query.shape.path}?`) || address === query.shape.path ? address : null;
  } catch {
    return null;
  }
}
