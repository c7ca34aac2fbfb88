// What must hold for ledger entries: those of any period add up to what the balances changed over it, whatever happens
// later, and what a reader has once seen as final stays as it was.
import { exportEntries } from "@/server/domains/entries/operations/export";
import type { LedgerEntry } from "@/server/domains/entries/schema";
import { recordsOf } from "../downloads";
import { type Around, entryPages } from "../lists";
import type { World } from "../world";
import type { Facts } from "./facts";
import type { Scene } from "./scene";
import { must, mustEqual } from "./violation";

/** Balances by account, kind and currency, without those of 0. */
type Balances = ReadonlyMap<string, number>;

interface Noted {
  /** Everything in the balances was booked before it, in epoch milliseconds of the organization's time. */
  before: number;
  balances: Balances;
}

/** Periods that are looked at in the end of a life. */
const periods = 2;
/** Longer than the clocks of processes may differ. */
const settleMs = 5_000;

const at = (instant: number): string => new Date(instant).toISOString();

export class Entries {
  /** Balances as they were after steps, oldest first; at the beginning there is nothing. */
  private readonly noted: Noted[] = [];
  /** What readers saw, and the instant before which nothing more was to be booked. */
  private readonly seen: { before: string; rows: LedgerEntry[] }[] = [];

  /** Notes the balances after a step. While a clock is being moved, acts that are left book at instants in the past. */
  note(facts: Facts): void {
    if (!facts.isMoving) this.noted.push({ before: facts.now + 1, balances: balancesOf(facts) });
  }

  /** Reads all pages of the list, with others' steps between them: entries have no gaps, and each is there once. */
  async browse(world: World, { people }: Scene, around: Around): Promise<void> {
    const { rows, finalBefore } = await entryPages(world, people.admin, {}, 2, around);
    const next = new Map<string, { number: number; balance: number }>();
    for (const { posting_id: id, number, balance_after: balance, signed_amount } of rows) {
      const ledgerAccount = id.slice(0, id.lastIndexOf("/"));
      const last = next.get(ledgerAccount) ?? { number: 0, balance: 0 };
      const expected = { number: last.number + 1, balance: last.balance + signed_amount };
      mustEqual({ number, balance }, expected, "39", `${id} follows the entry before it`);
      next.set(ledgerAccount, expected);
    }
    this.seen.push({ before: finalBefore, rows: rows.filter(({ booked_at }) => booked_at < finalBefore) });
  }

  /** Invariant 39: looks at random periods, of the organization or of an account, and at what readers saw. */
  async check(world: World, { people }: Scene, facts: Facts, choose: () => number): Promise<void> {
    world.clock.advance(settleMs);
    const exported = (query: object) => fileOf(world, people.admin, query);
    for (const { before, rows } of this.seen.slice(-1)) {
      mustEqual(await exported({ booked_to: before }), rows, "39", `what was final before ${before}`);
    }
    const all: Noted[] = [{ before: 0, balances: new Map() }, ...this.noted];
    for (let period = 0; period < periods; period++) {
      const [i, j] = [choose() % all.length, choose() % all.length];
      const [from, to] = [all[Math.min(i, j)], all[Math.max(i, j)]];
      const accountId = facts.accounts[choose() % (facts.accounts.length + 1)]?.id;
      if (!from || !to) continue;
      const query = { booked_from: at(from.before), booked_to: at(to.before) };
      const rows = await exported({ ...query, ...(accountId && { account_id: accountId }) });
      const sums = new Map<string, number>();
      for (const row of rows) add(sums, placeOf(row.account_id, row.kind, row.currency), row.signed_amount);
      const changes = new Map<string, number>();
      for (const [place, balance] of to.balances) if (isOf(place, accountId)) add(changes, place, balance);
      for (const [place, balance] of from.balances) if (isOf(place, accountId)) add(changes, place, -balance);
      mustEqual(sorted(sums), sorted(changes), "39", `entries from ${query.booked_from} to ${query.booked_to}`);
    }
  }
}

const placeOf = (accountId: string | null, kind: string, currency: string): string =>
  `${accountId} ${kind} ${currency}`;

const isOf = (place: string, accountId: string | undefined): boolean =>
  accountId === undefined || place.startsWith(`${accountId} `);

const sorted = (sums: Balances): [string, number][] =>
  [...sums].filter(([, sum]) => sum !== 0).sort(([a], [b]) => (a < b ? -1 : 1));

function add(sums: Map<string, number>, place: string, amount: number): void {
  sums.set(place, (sums.get(place) ?? 0) + amount);
}

/** The balances of what accounts have, and of what they owe their customers. */
function balancesOf({ ledgerAccounts }: Facts): Balances {
  const balances = new Map<string, number>();
  for (const { accountId, forAccountId, name, currency, balance } of ledgerAccounts) {
    const kind = kindOf(name);
    if (kind !== null) add(balances, placeOf(accountId ?? forAccountId, kind, currency), balance);
  }
  return balances;
}

function kindOf(name: string): string | null {
  if (name === "memo:auth_open") return "pending";
  if (/^(available|held|refund_pending)$/.test(name)) return name;
  return /^cust:.*:credit$/.test(name) ? "customer_credit" : null;
}

/** All entries that the export writes. What it says about the period must be that it is final. */
async function fileOf(world: World, actor: Scene["people"]["admin"], query: object): Promise<LedgerEntry[]> {
  const download = await world.call(exportEntries, actor, { ...query, format: "ndjson" });
  must(!download.file.fileName.includes("unfinished"), "39", `${JSON.stringify(query)} is not final`);
  return recordsOf<LedgerEntry>(download);
}
