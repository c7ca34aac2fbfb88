// Looking through a list newest first, a window of candidates at a time, so that no call reads or holds without bound.
import type { ByteBudget } from "@/db/bytes";
import type { CallRequest } from "./context";
import { protocolFailure } from "./errors";
import { limits } from "./limits";
import type { Position } from "./page";
import { inTurn } from "./turns";

/** A part of a list: what comes after one position, down to and including another. Null means from the start, to the end. */
export interface Stretch {
  after: Position | null;
  until: Position | null;
}

/** Rows in the order of a list, some of which may match. Several sources together make a list; no row is in two. */
export interface Source<Row extends Position> {
  /**
   * The position of the `size`-th candidate after `after`, or null where fewer are left. Left out where (nearly) every
   * candidate matches, so that a page reads little more than it shows.
   */
  edge?(after: Position | null, size: number): Promise<Position | null>;
  /** The newest matches of the stretch: at most `limit`, and the first of them that exceeds the budget is the last. */
  rows(stretch: Stretch, limit: number, budget: ByteBudget): Promise<Row[]>;
  /** How many match within the stretch. */
  count(stretch: Stretch): Promise<number>;
}

/** What was found, and the position down to which everything was looked at; null where that is the end of the list. */
export interface Found<Row> {
  rows: Row[];
  reached: Position | null;
}

const { window, windows, countWindow } = limits.look;

/**
 * The newest matches after a position: at most `limit` rows, `bytes` of stored text, and a fixed number of candidates.
 * Whoever needs more goes on at `reached`. Other callers come to their turn between windows.
 */
export async function lookThrough<Row extends Position>(
  call: Pick<CallRequest, "notes">,
  sources: readonly Source<Row>[],
  after: Position | null,
  limit: number,
  bytes: number = limits.page.bytes,
): Promise<Found<Row>> {
  const rows: Row[] = [];
  let [at, left] = [after, bytes];
  for (let step = 1; ; step++) {
    const [from, wanted, budget] = [at, limit - rows.length, left];
    const looked = await inTurn(call, async () => {
      const until = await edgeOf(sources, from, window);
      return readStretch(sources, { after: from, until }, wanted, budget);
    });
    rows.push(...looked.rows);
    left -= looked.bytes;
    at = looked.reached;
    if (at === null || rows.length >= limit || looked.isCut || step === windows) return { rows, reached: at };
  }
}

/**
 * How many match in all; counts on no further than `most`. Other callers come to their turn between windows. Refuses as
 * `unavailable` once the call's signal is aborted: the caller has gone, or the process stops.
 */
export async function countThrough(
  call: Pick<CallRequest, "notes" | "signal">,
  sources: readonly Source<Position>[],
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let total = 0;
  let at: Position | null = null;
  for (;;) {
    const from: Position | null = at;
    const counted: Counted = await inTurn(call, () => countWindowOf(sources, from));
    total += counted.total;
    at = counted.until;
    if (at === null || total >= most) return Math.min(total, most);
    if (call.signal.aborted) throw protocolFailure("unavailable", "The count was given up.", { "Retry-After": "1" });
  }
}

interface Counted {
  total: number;
  until: Position | null;
}

/** How many match in the next window, and where it ends. */
async function countWindowOf(sources: readonly Source<Position>[], after: Position | null): Promise<Counted> {
  const until = await edgeOf(sources, after, countWindow);
  const counts = await Promise.all(sources.map((source) => source.count({ after, until })));
  return { total: counts.reduce((sum, one) => sum + one, 0), until };
}

/** The nearest of the sources' edges: down to there the window of each is whole. */
export async function edgeOf(
  sources: readonly Source<Position>[],
  after: Position | null,
  size: number,
): Promise<Position | null> {
  const share = Math.max(limits.look.least, Math.ceil(size / sources.length));
  return newest(await Promise.all(sources.map((source) => source.edge?.(after, share) ?? null)));
}

interface Looked<Row> extends Found<Row> {
  bytes: number;
  isCut: boolean;
}

/** Reads one stretch of all sources and merges them. A source that its budget cuts off bounds what of the others counts. */
async function readStretch<Row extends Position>(
  sources: readonly Source<Row>[],
  stretch: Stretch,
  limit: number,
  bytes: number,
): Promise<Looked<Row>> {
  const parts = await Promise.all(
    sources.map(async (source) => {
      const budget: ByteBudget = { left: Math.ceil(bytes / sources.length) };
      const given = budget.left;
      const rows = await rowsOf(source, stretch, limit, budget);
      return { rows, bytes: given - budget.left, cutAt: budget.left < 0 ? (rows.at(-1) ?? null) : null };
    }),
  );
  const cutAt = newest(parts.map((part) => part.cutAt));
  const merged = parts.flatMap((part) => part.rows).sort(newerFirst);
  const whole = cutAt ? merged.filter((row) => newerFirst(row, cutAt) <= 0) : merged;
  const rows = whole.slice(0, limit);
  const isFull = whole.length >= limit;
  const reached = (isFull ? rows.at(-1) : cutAt) ?? stretch.until;
  const size = parts.reduce((sum, part) => sum + part.bytes, 0);
  return { rows, reached: reached && { createdAt: reached.createdAt, id: reached.id }, bytes: size, isCut: !!cutAt };
}

/** The rows of one source. Few are asked for until it is known how large they are: a driver may hold all that it is asked for. */
async function rowsOf<Row extends Position>(
  source: Source<Row>,
  { after, until }: Stretch,
  limit: number,
  budget: ByteBudget,
): Promise<Row[]> {
  const rows: Row[] = [];
  const { left } = budget;
  let rowBytes: number = limits.look.rowBytes;
  for (let last = after; ; last = rows.at(-1) ?? null) {
    const wanted = Math.min(limit - rows.length, Math.max(1, Math.floor(budget.left / rowBytes)));
    const found = await source.rows({ after: last, until }, wanted, budget);
    rows.push(...found);
    if (found.length < wanted || rows.length >= limit || budget.left < 0) return rows;
    rowBytes = (left - budget.left) / rows.length;
  }
}

const newest = (positions: readonly (Position | null)[]): Position | null =>
  positions.filter((one) => one !== null).sort(newerFirst)[0] ?? null;

/** The order of every list. */
export const newerFirst = (a: Position, b: Position): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
