// A page of a list as its address asks for it.
import { failureOf } from "@/server/router";

/** The search parameters of a list's address, as Next gives them. */
export type ListSearch = Promise<{ cursor?: string | string[] }>;

/** The cursor in the address, and the address itself for coming back after sign-in. */
export async function listAddress(path: string, search: ListSearch): Promise<{ cursor?: string; address: string }> {
  const { cursor } = await search;
  if (typeof cursor !== "string" || cursor === "") return { address: path };
  return { cursor, address: `${path}?cursor=${encodeURIComponent(cursor)}` };
}

/** The page, or null where the address has a cursor that this list never gave out. */
export async function unlessStale<Page>(page: Promise<Page>): Promise<Page | null> {
  try {
    return await page;
  } catch (error) {
    const { code } = failureOf(error);
    // A cursor that is too long to be one is refused before it is opened.
    if (code === "invalid_cursor" || code === "invalid_request") return null;
    throw error;
  }
}
