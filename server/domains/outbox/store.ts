// Queries of the mails that a caller sees.
import { and, count, eq, getTableColumns, gte, inArray, lt, type SQL } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { beginsWith } from "@/db/prefix";
import { withinBudget } from "@/db/prepared";
import { sampleOf } from "@/db/sample";
import { accounts, mails } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import type { MailRow } from "@/server/domains/mails/store";
import type { MailKind } from "@/server/domains/mails/templates";
import type { Scope } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";

/** The mail, if the scope sees it and it is of one of the kinds. */
export async function findMail(
  q: Reader,
  scope: Scope,
  kinds: readonly MailKind[],
  id: string,
): Promise<MailRow | undefined> {
  if (!isId("mai", id)) return undefined;
  const [found] = await q
    .select({ mail: mails, ownerUserId: accounts.ownerUserId })
    .from(mails)
    .leftJoin(accounts, eq(accounts.id, mails.accountId))
    .where(and(eq(mails.id, id), eq(mails.organizationId, scope.organizationId), inArray(mails.kind, [...kinds])));
  if (!found) return undefined;
  const isOwn = scope.ownerUserId === null || scope.ownerUserId === found.ownerUserId;
  const isBound = scope.accountId === null || scope.accountId === found.mail.accountId;
  return isOwn && isBound ? found.mail : undefined;
}

interface MailSearch {
  organizationId: string;
  /** The accounts whose mails are searched; null for the whole organization. */
  accounts: readonly string[] | null;
  kinds: readonly MailKind[];
  status?: readonly MailRow["status"][] | undefined;
  paymentId?: string | undefined;
  /** How the recipient's address begins. */
  to?: string | undefined;
  /** When it was written, epoch ms: at or after `from`, before `until`. */
  from?: number | undefined;
  until?: number | undefined;
}

/** A mail without its bodies, which lists do not show. */
type ListedMail = Omit<MailRow, "text" | "html">;

const { text: _text, html: _html, ...listed } = getTableColumns(mails);

/** The sources of a search: the few mails of a recipient or payment request, else the mails of each account. */
export async function mailSources(q: Reader, search: MailSearch): Promise<Source<ListedMail>[]> {
  const { organizationId, accounts: ids, paymentId, to, status } = search;
  if (paymentId !== undefined) return [fewSource(q, search, eq(mails.paymentId, paymentId))];
  if (to !== undefined) {
    const few = recipients(q, organizationId, to);
    if (await isFew(q, few)) return [fewSource(q, search, inArray(mails.id, few))];
  }
  const ofOrganization = eq(mails.organizationId, organizationId);
  if (ids === null && status) {
    return status.map((one) => windowedSource(q, search, ofOrganization, eq(mails.status, one)));
  }
  if (ids === null || ids.length > limits.look.accounts) {
    return [windowedSource(q, search, ofOrganization)];
  }
  return ids.map((id) => windowedSource(q, search, eq(mails.accountId, id)));
}

const recipients = (q: Reader, organizationId: string, to: string) =>
  q
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.organizationId, organizationId), beginsWith(mails.toKey, foldEmail(to))))
    .limit(limits.look.few + 1);

async function isFew(q: Reader, few: ReturnType<typeof recipients>): Promise<boolean> {
  const [row] = await q.select({ total: count() }).from(few.as("few"));
  return (row?.total ?? 0) <= limits.look.few;
}

const matching = ({
  organizationId,
  accounts: ids,
  kinds,
  status,
  paymentId,
  to,
  from,
  until,
}: MailSearch): SQL | undefined =>
  and(
    eq(unindexed(mails.organizationId), organizationId),
    ids === null ? undefined : inArray(unindexed(mails.accountId), [...ids]),
    inArray(mails.kind, [...kinds]),
    status && inArray(unindexed(mails.status), [...status]),
    paymentId === undefined ? undefined : eq(unindexed(mails.paymentId), paymentId),
    to === undefined ? undefined : beginsWith(mails.toKey, foldEmail(to)),
    from === undefined ? undefined : gte(mails.createdAt, from),
    until === undefined ? undefined : lt(mails.createdAt, until),
  );

function fewSource(q: Reader, search: MailSearch, candidates: SQL | undefined): Source<ListedMail> {
  const within = ({ after: position, until }: Stretch) =>
    and(candidates, matching(search), after(mails, position), downTo(mails, until));
  return {
    rows: (stretch, limit, budget) =>
      withinBudget<ListedMail[]>(
        q
          .select(listed)
          .from(mails)
          .where(within(stretch))
          .orderBy(...newestFirst(mails))
          .limit(limit),
        budget,
      ),
    count: (stretch) => q.$count(mails, within(stretch)),
  };
}

/** The mails of an account or an organization; with `hasStatus`, only those of one status. */
function windowedSource(q: Reader, search: MailSearch, scope: SQL, hasStatus?: SQL): Source<ListedMail> {
  const candidates = and(scope, hasStatus);
  return {
    ...fewSource(q, search, candidates),
    sample: sampleOf(q, mails, { scope, matching: and(hasStatus, matching(search)) }),
    async edge(position, size) {
      const [row] = await q
        .select({ createdAt: mails.createdAt, id: mails.id })
        .from(mails)
        .where(and(candidates, after(mails, position)))
        .orderBy(...newestFirst(mails))
        .limit(1)
        .offset(size - 1);
      return row ?? null;
    },
  };
}
