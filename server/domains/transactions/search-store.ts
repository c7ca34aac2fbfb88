// The queries of a search: a page of a path, its total, and the transactions that share a rare word or value.
import { and, count, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { changesOf, type Span } from "@/db/changes";
import type { Reader } from "@/db/client";
import { type Beginning, isInRange } from "@/db/prefix";
import { inPart, type Sampled, sampledColumns } from "@/db/sample";
import { settlesWithinMs } from "@/db/schema/values";
import { preparedByShape, type Slots } from "@/db/shapes";
import { transactions, transactionTags, transactionWords } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst, type Position } from "@/server/kit/page";
import { candidatesOf, columns, isTag, keysetOf, leading, matching } from "./conditions-store";
import { type Criteria, isFiltered, type Path, type Tag, withoutIndex } from "./criteria";
import { paymentRequests } from "./payment-requests";
import { type ShownRow, shownColumns, type TransactionRow } from "./present";

type StretchOf<P> = P & Stretch;

const within = (path: Slots<StretchOf<Path>>): SQL | undefined =>
  and(candidatesOf(path), after(keysetOf(path), path.after), downTo(keysetOf(path), path.until));

const shown = Object.fromEntries(shownColumns.map((name) => [name, transactions[name]])) as Pick<
  typeof transactions,
  (typeof shownColumns)[number]
>;

/** The newest matches on a stretch of the path. */
const page = preparedByShape<StretchOf<Path> & { limit: number }, ShownRow[]>((q: Reader, path) => {
  const select = q.select(shown);
  const from = path.by.tag
    ? select.from(leading).innerJoin(transactions, eq(transactions.id, leading.transactionId))
    : select.from(transactions);
  return from
    .where(and(within(path), matching(q, path)))
    .orderBy(...newestFirst(keysetOf(path)))
    .limit(path.limit);
});

/** The position of the path's candidate that follows `after` and `skipped` more candidates. */
const edge = preparedByShape<Path & { after: Position | null; skipped: number }, Position[]>((q: Reader, path) => {
  const { createdAt, id } = keysetOf(path);
  const select = q.select({ createdAt, id });
  return (path.by.tag ? select.from(leading) : select.from(transactions))
    .where(and(candidatesOf(path), after(keysetOf(path), path.after)))
    .orderBy(...newestFirst(keysetOf(path)))
    .limit(1)
    .offset(path.skipped);
});

const total = preparedByShape<StretchOf<Path>, { total: number }[]>((q: Reader, path) => {
  const select = q.select({ total: count() });
  const from = path.by.tag
    ? select.from(leading).innerJoin(transactions, eq(transactions.id, leading.transactionId))
    : select.from(transactions);
  return from.where(and(within(path), matching(q, path)));
});

/** What the sample of the path's account, or of the organization, has on the path. */
const sampled = preparedByShape<Path & { pairs: readonly string[] }, Sampled[]>((q: Reader, { pairs, ...path }) => {
  const { account, organizationId, by } = path;
  const scope =
    account === undefined ? eq(transactions.organizationId, organizationId) : eq(transactions.accountId, account);
  // The tags are a table of their own, so each row's are looked up.
  const onPath = by.tag
    ? matching(q, { ...path, by: { ...by, tag: false } })
    : and(candidatesOf(path), matching(q, path));
  return q.select(sampledColumns(onPath)).from(transactions).where(inPart(scope, pairs));
});

/** What the matches of one type and currency on one stretch of time add up to. */
export interface Sums {
  /** The number of the part; negative for what comes before the first. */
  part: number;
  type: TransactionRow["type"];
  currency: string;
  /** Minor units: what was captured of payments, and the amount of all others. */
  amount: number;
  count: number;
  /** What open disputes hold of payments, or lost ones took, in minor units, and of how many. */
  disputed: number;
  disputes: number;
}

/**
 * Parts of a time span: each `grain` milliseconds long, the first from `start` (epoch ms). All before `earlierEnd` is
 * part -1, and what is between it and `start` part -2.
 */
export interface Parts {
  start: number;
  grain: number;
  earlierEnd: number;
}

const sums = preparedByShape<StretchOf<Path> & Parts, Sums[]>((q: Reader, path) => {
  const { type, currency, amount, amountCaptured, amountDisputed, createdAt } = transactions;
  const number = sql`cast(${createdAt} - ${path.start} as bigint) / cast(${path.grain} as bigint)`;
  const part = sql`case when ${createdAt} >= ${path.start} then ${number} when ${createdAt} < ${path.earlierEnd} then -1 else -2 end`;
  const moved = sql`case when ${type} = 'payment' then ${amountCaptured} else ${amount} end`;
  return (
    q
      .select({
        part: part.mapWith(Number).as("part"),
        type,
        currency,
        amount: sql`cast(sum(${moved}) as bigint)`.mapWith(Number).as("sum"),
        count: count(),
        disputed: sql`cast(sum(${amountDisputed}) as bigint)`.mapWith(Number).as("disputed"),
        disputes: sql`sum(case when ${amountDisputed} > 0 then 1 else 0 end)`.mapWith(Number).as("disputes"),
      })
      .from(transactions)
      .where(and(within(path), matching(q, path)))
      // By position: PostgreSQL does not see that two expressions with parameters are the same.
      .groupBy(sql`1`, type, currency)
  );
});

/** A word or value that few transactions of the organization have: these are read one by one, in any order. */
export interface Few {
  word?: Beginning;
  tag?: Tag;
  customerEmailKey?: string;
  customerReference?: string;
  reference?: string;
  cardLast4?: string;
  /** The customer to whom they, or their payment requests, belong. */
  customerId?: string;
}

type Settled = Pick<Criteria, "organizationId" | "settledTo"> & { settledFrom: number };

const late = preparedByShape<Settled, { at: number | null }[]>(
  (q: Reader, { organizationId, settledFrom, settledTo }) => {
    const { createdAt, settledAt } = transactions;
    return (
      q
        .select({ at: sql<number | null>`min(${createdAt} + 0)`.mapWith(Number) })
        .from(transactions)
        // A literal, as in the index.
        .where(
          and(
            eq(transactions.organizationId, organizationId),
            sql.raw(`settled_at - created_at > ${settlesWithinMs}`),
            gte(settledAt, settledFrom),
            settledTo && lt(settledAt, settledTo),
          ),
        )
    );
  },
);

/** When the oldest of those was created that settled in the period, and late; null if there is none. */
export const oldestLate = async (q: Reader, settled: Settled): Promise<number | null> =>
  (await late(q, settled))[0]?.at ?? null;

interface Among extends Criteria {
  few: Few;
  most: number;
}

/**
 * Ids of the organization's transactions that have the value, or a word with the prefix: once per matching word. The
 * limit makes the planner read this query first.
 */
function having(q: Reader, { organizationId, few, most }: Slots<Pick<Among, "organizationId" | "few" | "most">>) {
  const { word, tag, customerId, ...values } = few;
  if (word) {
    return q
      .select({ id: transactionWords.transactionId })
      .from(transactionWords)
      .where(and(eq(transactionWords.organizationId, organizationId), isInRange(transactionWords.word, word)))
      .limit(most)
      .as("few");
  }
  if (tag) {
    return q
      .select({ id: transactionTags.transactionId })
      .from(transactionTags)
      .where(isTag(transactionTags, organizationId, tag))
      .limit(most)
      .as("few");
  }
  if (customerId) {
    const requests = paymentRequests().idsOfCustomer(q, customerId);
    const of = (condition: SQL) => q.select({ id: transactions.id }).from(transactions).where(condition);
    const direct = of(eq(transactions.customerId, customerId));
    const either = direct.unionAll(of(inArray(transactions.paymentId, requests)));
    return (either.limit(most) as ReturnType<typeof direct.limit>).as("few");
  }
  const conditions = Object.entries(values).map(([name, value]) => eq(columns[name as keyof typeof values], value));
  return q
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(eq(transactions.organizationId, organizationId), ...conditions))
    .limit(most)
    .as("few");
}

const totalOfFew = preparedByShape<Pick<Among, "organizationId" | "few" | "most">, { total: number }[]>(
  (q: Reader, given) => q.select({ total: count() }).from(having(q, given)),
);

/** Whether at most `limits.look.few` transactions of the organization have the word or value. */
export async function areFew(q: Reader, organizationId: string, few: Few): Promise<boolean> {
  const [row] = await totalOfFew(q, { organizationId, few, most: limits.look.few + 1 });
  return (row?.total ?? 0) <= limits.look.few;
}

/**
 * Each of the few transactions once. Used in a cross join, since SQLite always reads its left side first. A few more
 * may have been added since they were counted.
 */
const among = (q: Reader, given: Slots<Among>) => {
  const entries = having(q, given);
  const few = q.selectDistinct({ id: entries.id }).from(entries).as("each_once");
  const path = { ...given, ...withoutIndex };
  return { few, conditions: and(eq(transactions.id, few.id), matching(q, path)) };
};

const positionsAmong = preparedByShape<StretchOf<Among> & { limit: number }, Position[]>((q: Reader, given) => {
  const { few, conditions } = among(q, given);
  const { createdAt, id } = transactions;
  return q
    .select({ createdAt, id })
    .from(few)
    .crossJoin(transactions)
    .where(and(conditions, after(transactions, given.after), downTo(transactions, given.until)))
    .orderBy(...newestFirst(transactions))
    .limit(given.limit);
});

const totalAmong = preparedByShape<StretchOf<Among>, { total: number }[]>((q: Reader, given) => {
  const { few, conditions } = among(q, given);
  return q.select({ total: count() }).from(few).crossJoin(transactions).where(conditions);
});

const byIds = preparedByShape<{ ids: readonly string[] }, ShownRow[]>((q: Reader, { ids }) =>
  q
    .select(shown)
    .from(transactions)
    .where(inArray(transactions.id, [...ids]))
    .orderBy(...newestFirst(transactions)),
);

/** The matches among the few transactions that have a word or value. */
export function sourceAmong(q: Reader, criteria: Criteria, few: Few): Source<ShownRow> {
  const given: Among = { ...criteria, few, most: 2 * limits.look.few };
  return {
    async rows(stretch, limit, budget) {
      const ids = (await positionsAmong(q, { ...given, ...stretch, limit })).map(({ id }) => id);
      return ids.length === 0 ? [] : byIds(q, { ids: filledUp(ids) }, budget);
    },
    count: async (stretch) => totalOf(await totalAmong(q, { ...given, ...stretch })),
  };
}

/** A path without a rare word or value, whose matches can be added up. */
export interface PathSource extends Source<ShownRow> {
  sums(stretch: Stretch, parts: Parts): Promise<Sums[]>;
}

/** The matches on a path. */
export function sourceOf(q: Reader, path: Path): PathSource {
  return {
    sums: (stretch, parts) => sums(q, { ...path, ...stretch, ...parts }),
    // A search by id has few candidates and walks no index.
    ...(!path.by.id && {
      edge: async (position, size) => (await edge(q, { ...path, after: position, skipped: size - 1 }))[0] ?? null,
      // Transfers into an account are in the sample of the one that they come from.
      ...(!path.isInto && {
        sample: async (pairs) => (await sampled(q, { ...path, pairs }))[0] ?? { rows: 0, matches: 0 },
      }),
    }),
    matchesAll: !isFiltered(path),
    rows: (stretch, limit, budget) => page(q, { ...path, ...stretch, limit }, budget),
    count: async (stretch) => totalOf(await total(q, { ...path, ...stretch })),
  };
}

const totalOf = ([row]: { total: number }[]): number => row?.total ?? 0;

/** The ids, with the last one repeated to the next power of two, so that few statements have to be prepared. */
const filledUp = (ids: readonly string[]): string[] =>
  Array.from({ length: 2 ** Math.ceil(Math.log2(ids.length)) }, (_, i) => ids[Math.min(i, ids.length - 1)] ?? "");

/** The organization's transactions by their last change. */
export const changedTransactions = (q: Reader, span: Span) => changesOf(q, transactions, span);
