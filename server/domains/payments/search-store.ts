// The queries of a search: a page of a path, its totals, and the payment requests that share a rare word or address.
import { and, count, eq, getTableColumns, inArray, type SQL } from "drizzle-orm";
import { changesOf, type Span } from "@/db/changes";
import type { Reader } from "@/db/client";
import { beginsWith } from "@/db/prefix";
import { withinBudget } from "@/db/prepared";
import { sampleOf } from "@/db/sample";
import { paymentStatuses } from "@/db/schema/values";
import { payments, paymentWords } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";
import { candidatesOf, idleCount, matching, pastCount, refundedAndDueCount, timedStatuses } from "./conditions-store";
import type { PaymentStatus } from "./rules";
import { type Criteria, criteriaOf, isFiltered, type Path, pathsOf, type Search, withoutIndex } from "./search-paths";
import { tabs } from "./status-tabs";
import type { PaymentRow } from "./store";
import { amountTotal, dueTotal } from "./sums-store";

interface StatusCount {
  status: PaymentStatus;
  isOpen: boolean;
  count: number;
}

interface PaymentSource extends Source<PaymentRow> {
  /** How many matches on the stretch have each status at the search's time, and are open. */
  countByStatus(stretch: Stretch): Promise<StatusCount[]>;
  /** How many matches on the stretch each currency has, what they ask for and what is due of them, in minor units. */
  sumsByCurrency(stretch: Stretch): Promise<{ currency: string; amount: number; due: number; count: number }[]>;
}

/** The sources of a search: the few payment requests with a rare word or address, else the paths of its criteria. */
export async function sourcesOf(q: Reader, search: Search): Promise<PaymentSource[]> {
  const criteria = criteriaOf(search);
  const { ids } = criteria;
  if (ids) return [fewSource(q, { ...criteria, ...withoutIndex }, () => inArray(payments.id, [...ids]))];
  for (const few of possiblyRare(q, criteria)) {
    if (await areFew(q, few)) {
      return [fewSource(q, { ...criteria, ...withoutIndex }, () => inArray(payments.id, few(2 * limits.look.few)))];
    }
  }
  return pathsOf(criteria, timedStatuses).map((path) => pathSource(q, path));
}

/** A query for the ids of at most `most` payment requests of the organization. */
type FewIds = (most: number) => ReturnType<typeof havingWord>;

const havingWord = (q: Reader, { organizationId }: Criteria, word: string, most: number) =>
  q
    .select({ id: paymentWords.paymentId })
    .from(paymentWords)
    .where(and(eq(paymentWords.organizationId, organizationId), beginsWith(paymentWords.word, word)))
    .limit(most);

const havingEmail = (q: Reader, { organizationId }: Criteria, emailKey: string, most: number) =>
  q
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.organizationId, organizationId), eq(payments.customerEmailKey, emailKey)))
    .limit(most) as unknown as ReturnType<typeof havingWord>;

/** Words and addresses whose index is not in the list's order, so it is worth counting first whether they are rare. */
function possiblyRare(q: Reader, criteria: Criteria): FewIds[] {
  const { accounts, id, transactionId, words, amounts, emailKey } = criteria;
  // Nothing is rarer than an id, which the path of its own finds.
  if (accounts?.length === 0 || id !== undefined || transactionId !== undefined) return [];
  // What an amount finds need not have the words.
  const found: FewIds[] = amounts.length > 0 ? [] : words.map((word) => (most) => havingWord(q, criteria, word, most));
  if (accounts !== null && emailKey !== undefined) found.push((most) => havingEmail(q, criteria, emailKey, most));
  return found;
}

async function areFew(q: Reader, few: FewIds): Promise<boolean> {
  const [row] = await q.select({ total: count() }).from(few(limits.look.few + 1).as("few"));
  return (row?.total ?? 0) <= limits.look.few;
}

function pathSource(q: Reader, path: Path): PaymentSource {
  const { createdAt, id } = payments;
  return {
    ...sourceOver(q, path, () => candidatesOf(q, path)),
    matchesAll: !isFiltered(path, timedStatuses),
    sample: sampleOf(q, payments, {
      scope:
        path.account === undefined
          ? eq(payments.organizationId, path.organizationId)
          : eq(payments.accountId, path.account),
      matching: and(candidatesOf(q, path), matching(q, path)),
    }),
    async edge(position, size) {
      const [row] = await q
        .select({ createdAt, id })
        .from(payments)
        .where(and(candidatesOf(q, path), after(payments, position)))
        .orderBy(...newestFirst(payments))
        .limit(1)
        .offset(size - 1);
      return row ?? null;
    },
  };
}

/** Few rows in no order: their positions are sorted first, and only the rows of the page are read in full. */
function fewSource(q: Reader, path: Path, candidates: () => SQL | undefined): PaymentSource {
  const shown = (stretch: Stretch, limit: number) =>
    q
      .select({ id: payments.id })
      .from(payments)
      .where(and(candidates(), after(payments, stretch.after), downTo(payments, stretch.until), matching(q, path)))
      .orderBy(...newestFirst(payments))
      .limit(limit);
  return {
    ...sourceOver(q, path, candidates),
    rows: (stretch, limit, budget) =>
      withinBudget<PaymentRow[]>(
        q
          .select(getTableColumns(payments))
          .from(payments)
          .where(inArray(payments.id, shown(stretch, limit)))
          .orderBy(...newestFirst(payments)),
        budget,
      ),
  };
}

function sourceOver(q: Reader, path: Path, candidates: () => SQL | undefined): PaymentSource {
  const within = (stretch: Stretch) =>
    and(candidates(), after(payments, stretch.after), downTo(payments, stretch.until), matching(q, path));
  return {
    rows: (stretch, limit, budget) =>
      withinBudget<PaymentRow[]>(
        q
          .select(getTableColumns(payments))
          .from(payments)
          .where(within(stretch))
          .orderBy(...newestFirst(payments))
          .limit(limit),
        budget,
      ),
    count: (stretch) => q.$count(payments, within(stretch)),
    sumsByCurrency: (stretch) =>
      q
        .select({ currency: payments.currency, amount: amountTotal, due: dueTotal, count: count() })
        .from(payments)
        .where(within(stretch))
        .groupBy(payments.currency),
    async countByStatus(stretch) {
      // Naming every status leads to the index that has status and dates, so that no row is read.
      const isPlain = path.accounts === null && path.status === undefined && !isFiltered(path, timedStatuses);
      const everyStatus =
        isPlain && !path.byDue && !isNarrow(path) ? inArray(payments.status, [...paymentStatuses]) : undefined;
      const rows = await q
        .select({
          status: payments.status,
          all: count(),
          past: pastCount(path.now),
          idle: idleCount(path.now),
          due: refundedAndDueCount(path.now),
        })
        .from(payments)
        .where(and(within(stretch), everyStatus))
        .groupBy(payments.status);
      const open: readonly PaymentStatus[] = tabs.open;
      return rows.flatMap(({ status, all, past, due, idle }) => [
        { status, isOpen: open.includes(status), count: all - past - due - idle },
        { status, isOpen: false, count: idle },
        { status, isOpen: true, count: due },
        { status: "expired", isOpen: false, count: past },
      ]);
    },
  };
}

/** Whether the path walks an index of few payment requests. */
const isNarrow = ({ byCustomer, byParent, bySubscription, byMark }: Path): boolean =>
  byCustomer || byParent || bySubscription || byMark !== undefined;

/** The organization's payment requests by their last change. */
export const changedPayments = (q: Reader, span: Span) => changesOf(q, payments, span);
