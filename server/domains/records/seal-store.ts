// Queries of seals: which audit entries no seal covers, and the signed rows.
import { and, asc, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { auditEntries, auditSealEntries, auditSeals } from "@/db/tables";

export type SealRow = typeof auditSeals.$inferSelect;

/** An entry of a seal, as the seal signs it. */
export interface SealedEntry {
  entryId: string;
  hash: string;
}

/** One page of all entries, in id order after `after`: those without a seal. */
export async function unsealedPage(
  q: Reader,
  after: string,
  pageSize: number,
): Promise<{ ids: string[]; next: string | null }> {
  const rows = await q
    .select({ id: auditEntries.id, seal: auditSealEntries.sealNumber })
    .from(auditEntries)
    .leftJoin(auditSealEntries, eq(auditSealEntries.entryId, auditEntries.id))
    .where(gt(auditEntries.id, after))
    .orderBy(asc(auditEntries.id))
    .limit(pageSize);
  return {
    ids: rows.filter((row) => row.seal === null).map((row) => row.id),
    next: rows.length < pageSize ? null : (rows.at(-1)?.id ?? null),
  };
}

/** Those of the entries without a seal, in id order, with `detail` as the text that is stored. */
export const unsealedEntries = (q: Reader, ids: readonly string[]) =>
  q
    .select({
      id: auditEntries.id,
      organizationId: auditEntries.organizationId,
      operation: auditEntries.operation,
      actorType: auditEntries.actorType,
      actorId: auditEntries.actorId,
      targetId: auditEntries.targetId,
      detail: sql<string>`cast(${auditEntries.detail} as text)`,
      requestId: auditEntries.requestId,
      ip: auditEntries.ip,
      userAgent: auditEntries.userAgent,
      createdAt: auditEntries.createdAt,
    })
    .from(auditEntries)
    .leftJoin(auditSealEntries, eq(auditSealEntries.entryId, auditEntries.id))
    .where(and(inArray(auditEntries.id, [...ids]), isNull(auditSealEntries.entryId)))
    .orderBy(asc(auditEntries.id));

export type UnsealedEntry = Awaited<ReturnType<typeof unsealedEntries>>[number];

/** The seal with the highest number; null if there is none. */
export async function lastSeal(q: Reader): Promise<SealRow | null> {
  const [row] = await q.select().from(auditSeals).orderBy(desc(auditSeals.number)).limit(1);
  return row ?? null;
}

/** The last entry of the latest seal that has any, and when that seal was written. */
export async function lastSealedEntry(q: Reader): Promise<{ entryId: string; sealedAt: number } | null> {
  const [row] = await q
    .select({ entryId: auditSealEntries.entryId, sealedAt: auditSeals.createdAt })
    .from(auditSealEntries)
    .innerJoin(auditSeals, eq(auditSeals.number, auditSealEntries.sealNumber))
    .orderBy(desc(auditSealEntries.sealNumber), desc(auditSealEntries.entryId))
    .limit(1);
  return row ?? null;
}

/** The oldest entry whose id sorts after `after` and that still waits for its seal; null if there is none. */
export async function oldestWaiting(q: Reader, after: string): Promise<string | null> {
  const [row] = await q
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .leftJoin(auditSealEntries, eq(auditSealEntries.entryId, auditEntries.id))
    .where(and(gt(auditEntries.id, after), isNull(auditSealEntries.entryId)))
    .orderBy(asc(auditEntries.id))
    .limit(1);
  return row?.id ?? null;
}

/** Inserts a seal with the entries that it signs. */
export async function insertSeal(tx: Tx, row: SealRow, entries: readonly SealedEntry[]): Promise<void> {
  await tx.insert(auditSeals).values(row);
  if (entries.length === 0) return;
  await tx.insert(auditSealEntries).values(entries.map((entry) => ({ sealNumber: row.number, ...entry })));
}
