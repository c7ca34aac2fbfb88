// Which accounts have the same tax number and prefix, and which of them has issued invoices with both.
import { and, eq, inArray, max, min } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { accounts, numberingClaims } from "@/db/tables";
import type { AccountRow } from "./store";

type Numbered = Pick<AccountRow, "id" | "organizationId" | "numberingKey">;

interface Claim {
  organizationId: string;
  numberingKey: string;
  livemode: boolean;
}

async function claimantOf(q: Reader, { organizationId, numberingKey, livemode }: Claim): Promise<string | undefined> {
  const [row] = await q
    .select({ accountId: numberingClaims.accountId })
    .from(numberingClaims)
    .where(
      and(
        eq(numberingClaims.organizationId, organizationId),
        eq(numberingClaims.numberingKey, numberingKey),
        eq(numberingClaims.livemode, livemode),
      ),
    );
  return row?.accountId;
}

/** Finds the account that issued an invoice first, with that prefix, of those with these ids; undefined if none has. */
type FirstIssuer = (accountIds: readonly string[]) => Promise<string | undefined>;

/**
 * Claims the account's tax number and prefix for its invoices, unless another account with both has issued invoices
 * before it got the tax number: then for that one. Waits for another transaction that claims both at the same time.
 * Resolves to the id of the account that has them.
 */
export async function claimNumbering(
  tx: Tx,
  account: Numbered,
  livemode: boolean,
  firstIssuer: FirstIssuer,
): Promise<string> {
  const { id, organizationId, numberingKey } = account;
  if (numberingKey === null) return id;
  const key = { organizationId, numberingKey, livemode };
  const before = await claimantOf(tx, key);
  if (before !== undefined) return before;
  const isSharing = and(eq(accounts.organizationId, organizationId), eq(accounts.numberingKey, numberingKey));
  const sharing = await tx.select({ id: accounts.id }).from(accounts).where(isSharing);
  const ids = sharing.map((one) => one.id);
  const accountId = (ids.length > 1 ? await firstIssuer(ids) : undefined) ?? id;
  await tx
    .insert(numberingClaims)
    .values({ ...key, accountId })
    .onConflictDoNothing();
  const after = await claimantOf(tx, key);
  if (after === undefined) throw new Error(`Nobody has the claim that ${id} made or met.`);
  return after;
}

/**
 * Of accounts of one organization, those whose tax number and prefix another one has, with its id: the one that has
 * issued invoices with both, or else an open one that could.
 */
export async function findConflicts(q: Reader, rows: readonly (Numbered & Pick<AccountRow, "status">)[]) {
  const open = rows.filter(({ status, numberingKey }) => status === "open" && numberingKey !== null);
  const [first] = open;
  if (!first) return new Map<string, string>();
  const { organizationId } = first;
  const keys = [...new Set(open.map(({ numberingKey }) => numberingKey ?? ""))];
  const claims = await q
    .select({ key: numberingClaims.numberingKey, accountId: numberingClaims.accountId })
    .from(numberingClaims)
    .where(and(eq(numberingClaims.organizationId, organizationId), inArray(numberingClaims.numberingKey, keys)));
  // Two ids are enough to find another one.
  const sharing = await q
    .select({ key: accounts.numberingKey, first: min(accounts.id), last: max(accounts.id) })
    .from(accounts)
    .where(
      and(
        eq(accounts.organizationId, organizationId),
        inArray(accounts.numberingKey, keys),
        eq(accounts.status, "open"),
      ),
    )
    .groupBy(accounts.numberingKey);
  const conflicts = new Map<string, string>();
  for (const { id, numberingKey } of open) {
    const holders = claims.filter(({ key }) => key === numberingKey).map(({ accountId }) => accountId);
    const { first = null, last = null } = sharing.find(({ key }) => key === numberingKey) ?? {};
    const candidates = holders.length > 0 ? holders : [first, last];
    const other = candidates.find((one) => one !== null && one !== id);
    if (other) conflicts.set(id, other);
  }
  return conflicts;
}
