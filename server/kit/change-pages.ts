// Lists in the order of changes: a program that keeps `next_cursor` learns of every change, also of one that is
// committed late.
import type { Change, Span } from "@/db/changes";
import type { Reader } from "@/db/client";
import { databaseTime } from "@/db/now";
import { inTurn } from "@/server/fairness/turns";
import type { Runtime } from "@/server/process/runtime";
import type { ReadContext } from "./context";
import { protocolFailure } from "./errors";
import { instantOrDay } from "./fields";
import { limits } from "./limits";
import type { Source } from "./look-through";
import { openCursor, type Position, sealCursor } from "./page";

/** The parameter of lists that can be read in the order of changes. */
export const byChange = {
  updated_from: instantOrDay.optional().meta({
    description:
      "Only what was changed from this instant on, in real time, also in a sandbox whose clock was moved; the earliest " +
      "change first. `next_cursor` is then never null: keep it, and the next call with it returns what has changed " +
      "since, however late it was committed. A record that changes again is returned again. What belongs to another " +
      "record, such as a customer's credit, and a status that time alone changes count once they are recorded.",
  }),
};

interface ChangesInput {
  limit: number;
  cursor?: string | undefined;
  include_total: boolean;
  total_max?: number | undefined;
  updated_from: number;
}

interface Changes<Row extends Position, Item> {
  /** The list's name: a cursor belongs to one list. */
  list: string;
  /** The organization's rows within the span, by their last change. */
  within(q: Reader, span: Span): Promise<Change[]>;
  /** Those of the rows with these ids that the caller sees and the filters match. */
  among(ids: readonly string[]): Promise<Source<Row>[]>;
  present(rows: Row[]): Item[] | Promise<Item[]>;
}

/** Sorts before every id. */
const beforeAll = "-";

/**
 * A page of the rows that were changed from `updated_from` on (inclusive, real time), the earliest change first. Rows
 * that an open write transaction might still precede are left for a later call; `next_cursor` continues there, and is
 * never null. `fail` refuses a cursor that is malformed or belongs to other filters.
 */
export async function pageOfChanges<Row extends Position, Item>(
  ctx: ReadContext,
  input: ChangesInput,
  fail: (code: "invalid_cursor") => never,
  { list, within, among, present }: Changes<Row, Item>,
) {
  const { limit, cursor, include_total: includeTotal, total_max: _, ...given } = input;
  if (includeTotal) throw protocolFailure("invalid_request", "include_total: is not possible with updated_from");
  const { keys } = ctx.runtime;
  const filters = [`${list} by change`, given];
  const position = cursor === undefined ? null : (openCursor(keys, filters, cursor) ?? fail("invalid_cursor"));
  let after: Change = position
    ? { at: position.createdAt, id: position.id }
    : { at: given.updated_from, id: beforeAll };
  const until = await settledUntil(ctx.runtime);
  const rows: Row[] = [];
  let hasMore = true;
  for (let step = 0; hasMore && rows.length < limit && step < limits.changes.windows; step++) {
    const from = after;
    const { candidates, found } = await inTurn(ctx.request, async () => {
      const span = { organizationId: ctx.scope.organizationId, after: from, until, limit: limits.changes.window };
      const changed = await within(ctx.db, span);
      return { candidates: changed, found: await rowsAmong(await among(changed.map(({ id }) => id)), changed.length) };
    });
    hasMore = candidates.length === limits.changes.window;
    for (const change of candidates) {
      if (rows.length === limit) {
        hasMore = true;
        break;
      }
      const row = found.get(change.id);
      if (row) rows.push(row);
      after = change;
    }
  }
  return {
    data: await present(rows),
    has_more: hasMore,
    next_cursor: sealCursor(keys, filters, { createdAt: after.at, id: after.id }),
    total_count: null,
    total_is_estimate: null,
  };
}

/**
 * Epoch milliseconds by the database's clock. Each row whose `changed_at` lies before it can be read now: no open write can
 * still add one. The time is read first, so that a write which begins meanwhile is younger.
 */
export async function settledUntil({ db }: Pick<Runtime, "db">): Promise<number> {
  const now = await databaseTime(db.read);
  return now - (await db.oldestWriteAge()) - limits.changes.behindMs;
}

/** The rows of the sources by their ids; there are at most `most`. */
async function rowsAmong<Row extends Position>(sources: readonly Source<Row>[], most: number) {
  const found = new Map<string, Row>();
  for (const source of most === 0 ? [] : sources) {
    // A window is so small that its rows need no limit of their own.
    const budget = { left: Number.MAX_SAFE_INTEGER, sizes: [] };
    for (const row of await source.rows({ after: null, until: null }, most, budget)) found.set(row.id, row);
  }
  return found;
}
