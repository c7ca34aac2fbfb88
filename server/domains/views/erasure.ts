// Erases what saved views say about a customer.
import type { Tx } from "@/db/client";
import { wordsOf } from "@/server/kit/words";
import { deleteViews, viewsAfter } from "./store";

/** The filters of lists whose values are typed, so that they may name a customer. */
const typed = ["q", "email", "customer_email", "reference", "customer_reference"];

/**
 * Removes those of up to `limit` views of the organization, after an id, that search for one of the values. Resolves to
 * the ids of all that were looked at.
 */
export async function eraseViews(
  tx: Tx,
  { organizationId, values }: { organizationId: string; values: readonly string[] },
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const erased = values.map((value) => wordsOf(value)).filter((words) => words.length > 0);
  const rows = await viewsAfter(tx, organizationId, { after, limit });
  const found = rows.filter(({ filters }) => typed.some((name) => doesName(filters[name], erased)));
  await deleteViews(
    tx,
    found.map(({ id }) => id),
  );
  return rows.map(({ id }) => id);
}

/** Whether the text has all words of one of the values, however they are spelled. */
function doesName(text: string | undefined, values: readonly string[][]): boolean {
  const words = text === undefined ? [] : wordsOf(text);
  return words.length > 0 && values.some((value) => value.every((word) => words.includes(word)));
}
