// Which accounts have the same tax number and prefix, and which of them issues invoices with both.
import { and, eq, inArray, max, min, or, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { accounts, invoicePrefixes, numberingClaims } from "@/db/tables";
import { isLive } from "@/server/domains/organizations/organization";
import { prefixInKey, prefixKeyOf } from "./rules";
import type { AccountRow } from "./store";

type Numbered = Pick<AccountRow, "id" | "organizationId" | "numberingKey">;

/** Where accounts with the same numbering key share their numbers. */
interface Book {
  organizationId: string;
  livemode: boolean;
}

/** The id of an account by numbering key. */
type Holders = Map<string, string>;

async function claimantsOf(q: Reader, { organizationId, livemode }: Book, keys: readonly string[]): Promise<Holders> {
  const rows = await q
    .select({ key: numberingClaims.numberingKey, accountId: numberingClaims.accountId })
    .from(numberingClaims)
    .where(
      and(
        eq(numberingClaims.organizationId, organizationId),
        inArray(numberingClaims.numberingKey, [...keys]),
        eq(numberingClaims.livemode, livemode),
      ),
    );
  return new Map(rows.map(({ key, accountId }) => [key, accountId]));
}

/** Of the accounts that have each key now, open or closed, the one that issued an invoice with its prefix first. */
async function firstIssuersOf(
  q: Reader,
  { organizationId, livemode }: Book,
  keys: readonly string[],
): Promise<Holders> {
  if (keys.length === 0) return new Map();
  const hasPrefixOf = (key: string) =>
    and(eq(accounts.numberingKey, key), eq(invoicePrefixes.prefix, prefixInKey(key)));
  const order = sql`partition by ${accounts.numberingKey} order by ${invoicePrefixes.firstIssuedAt}, ${accounts.id}`;
  const issuers = q
    .select({
      key: accounts.numberingKey,
      id: accounts.id,
      place: sql<number>`row_number() over (${order})`.as("place"),
    })
    .from(accounts)
    .innerJoin(invoicePrefixes, eq(invoicePrefixes.accountId, accounts.id))
    .where(
      and(
        eq(accounts.organizationId, organizationId),
        inArray(accounts.numberingKey, [...keys]),
        eq(invoicePrefixes.livemode, livemode),
        or(...keys.map(hasPrefixOf)),
      ),
    )
    .as("issuers");
  const rows = await q.select({ key: issuers.key, id: issuers.id }).from(issuers).where(eq(issuers.place, 1));
  return new Map(rows.map(({ key, id }) => [key ?? "", id]));
}

/**
 * Claims the account's tax number and prefix for its invoices, unless another account has them: it has claimed both, or
 * has both and issued invoices with the prefix first. Waits for another transaction that claims both at the same time.
 * `now` is in epoch ms. Resolves to the id of the account that has them.
 */
export async function claimNumbering(
  tx: Tx,
  account: Numbered & Pick<AccountRow, "invoicePreferences">,
  livemode: boolean,
  now: number,
): Promise<string> {
  const holderId = await claimKey(tx, account, livemode);
  if (holderId !== account.id) return holderId;
  const prefix = prefixKeyOf(account.invoicePreferences);
  await tx
    .insert(invoicePrefixes)
    .values({ accountId: account.id, livemode, prefix, firstIssuedAt: now })
    .onConflictDoNothing();
  return holderId;
}

async function claimKey(tx: Tx, { id, organizationId, numberingKey: key }: Numbered, livemode: boolean) {
  if (key === null) return id;
  const book = { organizationId, livemode };
  const claimant = async () => (await claimantsOf(tx, book, [key])).get(key);
  const before = await claimant();
  if (before !== undefined) return before;
  const first = (await firstIssuersOf(tx, book, [key])).get(key) ?? id;
  if (first !== id) return first;
  await tx
    .insert(numberingClaims)
    .values({ ...book, numberingKey: key, accountId: id })
    .onConflictDoNothing();
  const after = await claimant();
  if (after === undefined) throw new Error(`Nobody has the claim that ${id} made or met.`);
  return after;
}

/**
 * Of accounts of one organization, those whose tax number and prefix another one has, with its id: the one because of
 * which their invoices are refused, or else, if none has issued invoices with both, an open one that could.
 */
export async function findConflicts(q: Reader, rows: readonly (Numbered & Pick<AccountRow, "status">)[]) {
  const open = rows.filter(({ status, numberingKey }) => status === "open" && numberingKey !== null);
  const conflicts = new Map<string, string>();
  const [one] = open;
  if (!one) return conflicts;
  const { organizationId } = one;
  const book = { organizationId, livemode: await isLive(q, organizationId) };
  const keys = [...new Set(open.map(({ numberingKey }) => numberingKey ?? ""))];
  const claimants = await claimantsOf(q, book, keys);
  const unclaimed = keys.filter((key) => !claimants.has(key));
  const holders = new Map([...claimants, ...(await firstIssuersOf(q, book, unclaimed))]);
  const free = keys.filter((key) => !holders.has(key));
  const pairs = await openPairsOf(q, organizationId, free);
  for (const { id, numberingKey } of open) {
    const key = numberingKey ?? "";
    const holder = holders.get(key);
    const candidates = holder === undefined ? (pairs.get(key) ?? []) : [holder];
    const other = candidates.find((candidate) => candidate !== id);
    if (other !== undefined) conflicts.set(id, other);
  }
  return conflicts;
}

/** The first and the last id of the open accounts with each key: two are enough to find another one. */
async function openPairsOf(q: Reader, organizationId: string, keys: readonly string[]) {
  if (keys.length === 0) return new Map<string, string[]>();
  const isSharing = and(
    eq(accounts.organizationId, organizationId),
    inArray(accounts.numberingKey, [...keys]),
    eq(accounts.status, "open"),
  );
  const rows = await q
    .select({ key: accounts.numberingKey, first: min(accounts.id), last: max(accounts.id) })
    .from(accounts)
    .where(isSharing)
    .groupBy(accounts.numberingKey);
  return new Map(rows.map(({ key, first, last }) => [key ?? "", [first ?? "", last ?? ""]]));
}
