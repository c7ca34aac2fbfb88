// Completes what users are found by, for those that an earlier version wrote.
import { limits } from "@/server/kit/limits";
import { hasAccents, searchTextOf } from "@/server/kit/words";
import type { Runtime } from "@/server/process/runtime";
import { findNamesAfter, replaceSearchText } from "./store";

/**
 * Writes the search text of one batch of users whose texts have accents: versions before server/kit/words.ts folded
 * accents wrote another. Returns the last id; null after the last batch. Idempotent.
 */
export async function foldUsers({ db }: Runtime, afterId: string): Promise<string | null> {
  const rows = await findNamesAfter(db.read, afterId, limits.batch.words);
  const accented = rows.filter((row) => hasAccents(row.name, row.email));
  if (accented.length > 0) {
    await db.write(async (tx) => {
      for (const row of accented) await replaceSearchText(tx, row, searchTextOf(row.name, row.email));
    });
  }
  return rows.at(-1)?.id ?? null;
}
