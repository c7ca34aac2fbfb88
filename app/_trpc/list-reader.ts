// The signed-in user and the list that an address shows.
import {
  asChosen,
  type ListQuery,
  type ListShape,
  listAddress,
  readListQuery,
  type SearchParams,
} from "../_ui/list-query";
import { type currentUser, requireUser } from "./session";

type SignedIn = NonNullable<Awaited<ReturnType<typeof currentUser>>>;

/**
 * The signed-in user, and the list with the columns that the user chose unless the address names others. Redirects like
 * {@link requireUser}.
 */
export async function listReader(
  shape: ListShape,
  searchParams: Promise<SearchParams>,
): Promise<{ user: SignedIn; query: ListQuery }> {
  const search = await searchParams;
  const user = await requireUser(listAddress(readListQuery(shape, search)));
  return { user, query: readListQuery(asChosen(shape, user.list_displays), search) };
}
