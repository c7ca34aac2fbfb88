// Queries about the instance that no other domain needs.
import { and, desc, eq } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { mails } from "@/db/tables";

/** When the organization's newest mail that failed was written, in epoch milliseconds; null if there is none. */
export async function lastFailedMail(q: Reader, organizationId: string): Promise<number | null> {
  const [row] = await q
    .select({ createdAt: mails.createdAt })
    .from(mails)
    .where(and(eq(mails.organizationId, organizationId), eq(mails.status, "failed")))
    .orderBy(desc(mails.createdAt))
    .limit(1);
  return row?.createdAt ?? null;
}
