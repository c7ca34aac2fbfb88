// Searches of customers. Each source walks one index: of an account, of an organization, of an address or a reference.
import { and, count, eq, exists, getTableColumns, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { changesOf, type Span } from "@/db/changes";
import type { Reader } from "@/db/client";
import { hasEntries } from "@/db/json";
import { beginsWith } from "@/db/prefix";
import { withinBudget } from "@/db/prepared";
import { sampleOf } from "@/db/sample";
import { customers, customerWords } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";
import { wordsOf } from "@/server/kit/words";
import type { CustomerFilters } from "./schema";
import type { CustomerRow } from "./store";

interface Search {
  organizationId: string;
  /** Only customers of these accounts; null for the whole organization. */
  accounts: readonly string[] | null;
  filters: CustomerFilters;
  /** Only customers with these ids, also those that were merged or erased. */
  ids?: readonly string[];
}

/** A search, with its text and e-mail address parsed. */
interface Criteria extends Search {
  id: string | undefined;
  words: readonly string[];
  emailKey: string | undefined;
  reference: string | undefined;
}

/** Those that were merged or erased are not listed. */
const isCurrent = () => and(isNull(customers.mergedInto), isNull(customers.erasedAt));

function criteriaOf(search: Search): Criteria {
  const text = search.filters.q?.trim() ?? "";
  const id = isId("cus", text) ? text : undefined;
  const { email, reference } = search.filters;
  return {
    ...search,
    id,
    words: id === undefined ? wordsOf(text) : [],
    emailKey: email === undefined ? undefined : foldEmail(email),
    reference,
  };
}

/** The sources of a search: the few customers with a rare word, else one of the organization or one of each account. */
export async function customerSources(q: Reader, search: Search): Promise<Source<CustomerRow>[]> {
  const criteria = criteriaOf(search);
  const { accounts, id, ids, words } = criteria;
  if (accounts?.length === 0) return [];
  if (ids) return [fewSource(q, criteria, inArray(customers.id, [...ids]))];
  if (id !== undefined)
    return [fewSource(q, criteria, or(eq(customers.id, id), inArray(customers.id, ledFrom(q, id))))];
  for (const word of words) {
    if (await areFew(q, criteria, word)) {
      const few = havingWord(q, criteria, word, 2 * limits.look.few);
      return [fewSource(q, criteria, inArray(customers.id, few))];
    }
  }
  const paths =
    accounts !== null && accounts.length <= limits.look.accounts
      ? accounts.map((account) => pathSource(q, criteria, account))
      : [pathSource(q, criteria, null)];
  const merged = await survivorsOf(q, criteria);
  return merged.length === 0
    ? paths
    : [...paths, fewSource(q, { ...criteria, ...withoutKeys }, inArray(customers.id, merged))];
}

/** The customer that the one with this id was merged into, if it was. */
const ledFrom = (q: Reader, id: string) =>
  q.select({ id: customers.mergedInto }).from(customers).where(eq(customers.id, id));

const withoutKeys = { emailKey: undefined, reference: undefined } as const;

/**
 * The customers that others were merged into which have the reference or the address, unless they have them too: those
 * the paths find.
 */
async function survivorsOf(q: Reader, criteria: Criteria): Promise<string[]> {
  if (!hasKey(criteria)) return [];
  const merged = await q
    .selectDistinct({ id: customers.mergedInto })
    .from(customers)
    .where(
      and(eq(customers.organizationId, criteria.organizationId), isNotNull(customers.mergedInto), ...keysOf(criteria)),
    )
    .limit(limits.look.few);
  const ids = merged.flatMap(({ id }) => (id === null ? [] : [id]));
  if (ids.length === 0) return [];
  const own = await q
    .select({ id: customers.id })
    .from(customers)
    .where(and(inArray(customers.id, ids), ...keysOf(criteria)));
  return ids.filter((id) => !own.some((row) => row.id === id));
}

const hasKey = ({ emailKey, reference }: Criteria): boolean => emailKey !== undefined || reference !== undefined;

const keysOf = ({ emailKey, reference }: Criteria): SQL[] => [
  ...(emailKey === undefined ? [] : [eq(customers.emailKey, emailKey)]),
  ...(reference === undefined ? [] : [eq(customers.reference, reference)]),
];

const havingWord = (q: Reader, { organizationId }: Criteria, word: string, most: number) =>
  q
    .select({ id: customerWords.customerId })
    .from(customerWords)
    .where(and(eq(customerWords.organizationId, organizationId), beginsWith(customerWords.word, word)))
    .limit(most);

async function areFew(q: Reader, criteria: Criteria, word: string): Promise<boolean> {
  const found = havingWord(q, criteria, word, limits.look.few + 1).as("few");
  const [row] = await q.select({ total: count() }).from(found);
  return (row?.total ?? 0) <= limits.look.few;
}

/** The conditions on the candidates of an account, or of the organization. */
function matching(q: Reader, criteria: Criteria): SQL | undefined {
  const { organizationId, accounts, filters, ids, words, emailKey, reference } = criteria;
  return and(
    ids ? undefined : isCurrent(),
    hasEntries(customers.metadata, filters.metadata),
    eq(unindexed(customers.organizationId), organizationId),
    accounts === null ? undefined : inArray(unindexed(customers.accountId), [...accounts]),
    emailKey === undefined ? undefined : eq(unindexed(customers.emailKey), emailKey),
    reference === undefined ? undefined : eq(unindexed(customers.reference), reference),
    ...words.map((word) =>
      exists(
        q
          .select({ one: sql`1` })
          .from(customerWords)
          .where(and(eq(customerWords.customerId, customers.id), beginsWith(customerWords.word, word))),
      ),
    ),
  );
}

/** Adjacent entries of one index, in the list's order: the reference or the address, if one is given, is a part of it. */
function candidatesOf({ organizationId, emailKey, reference }: Criteria, account: string | null): SQL | undefined {
  return and(
    account === null ? eq(customers.organizationId, organizationId) : eq(customers.accountId, account),
    reference === undefined ? undefined : eq(customers.reference, reference),
    emailKey === undefined || reference !== undefined ? undefined : eq(customers.emailKey, emailKey),
  );
}

function pathSource(q: Reader, criteria: Criteria, account: string | null): Source<CustomerRow> {
  const { createdAt, id } = customers;
  const { accounts, words, emailKey, reference } = criteria;
  const candidates = candidatesOf(criteria, account);
  const within = account === null ? criteria : { ...criteria, accounts: null };
  return {
    ...sourceOver(q, within, candidates),
    matchesAll:
      words.length === 0 &&
      criteria.filters.metadata === undefined &&
      (accounts === null || account !== null) &&
      (emailKey === undefined || reference === undefined),
    sample: sampleOf(q, customers, {
      scope:
        account === null ? eq(customers.organizationId, criteria.organizationId) : eq(customers.accountId, account),
      matching: and(candidates, matching(q, within)),
    }),
    async edge(position, size) {
      const [row] = await q
        .select({ createdAt, id })
        .from(customers)
        .where(and(candidates, after(customers, position)))
        .orderBy(...newestFirst(customers))
        .limit(1)
        .offset(size - 1);
      return row ?? null;
    },
  };
}

/** Few rows in no order: their positions are sorted first, and only the rows of the page are read in full. */
function fewSource(q: Reader, criteria: Criteria, candidates: SQL | undefined): Source<CustomerRow> {
  const source = sourceOver(q, criteria, candidates);
  const shown = (stretch: Stretch, limit: number) =>
    q
      .select({ id: customers.id })
      .from(customers)
      .where(source.within(stretch))
      .orderBy(...newestFirst(customers))
      .limit(limit);
  return {
    ...source,
    rows: (stretch, limit, budget) =>
      withinBudget<CustomerRow[]>(
        q
          .select(getTableColumns(customers))
          .from(customers)
          .where(inArray(customers.id, shown(stretch, limit)))
          .orderBy(...newestFirst(customers)),
        budget,
      ),
  };
}

function sourceOver(q: Reader, criteria: Criteria, candidates: SQL | undefined) {
  const within = ({ after: position, until }: Stretch) =>
    and(candidates, after(customers, position), downTo(customers, until), matching(q, criteria));
  return {
    within,
    rows: (stretch: Stretch, limit: number, budget: Parameters<Source<CustomerRow>["rows"]>[2]) =>
      withinBudget<CustomerRow[]>(
        q
          .select(getTableColumns(customers))
          .from(customers)
          .where(within(stretch))
          .orderBy(...newestFirst(customers))
          .limit(limit),
        budget,
      ),
    count: (stretch: Stretch) => q.$count(customers, within(stretch)),
  };
}

/** The organization's customers by their last change. */
export const changedCustomers = (q: Reader, span: Span) => changesOf(q, customers, span);
