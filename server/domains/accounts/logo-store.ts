// Rows of logos. Every writer has locked the account.
import { eq } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { preparedOne, slot } from "@/db/prepared";
import { accountLogos } from "@/db/tables";

type LogoRow = typeof accountLogos.$inferSelect;

const findByHash = preparedOne("account_logos_find", (q: Reader) =>
  q
    .select({ type: accountLogos.type, image: accountLogos.image })
    .from(accountLogos)
    .where(eq(accountLogos.hash, slot("hash")))
    .limit(1),
);

/** The image with this hash, of whatever account: logos are public, and equal images have equal hashes. */
export const findLogo = (q: Reader, hash: string): Promise<Pick<LogoRow, "type" | "image"> | undefined> =>
  findByHash(q, { hash });

/** Stores the account's logo in place of its earlier one. */
export async function putLogo(tx: Tx, row: LogoRow): Promise<void> {
  const { accountId: _, ...set } = row;
  await tx.insert(accountLogos).values(row).onConflictDoUpdate({ target: accountLogos.accountId, set });
}

/** Removes the account's logo, if it has one. */
export async function deleteLogo(tx: Tx, accountId: string): Promise<void> {
  await tx.delete(accountLogos).where(eq(accountLogos.accountId, accountId));
}
