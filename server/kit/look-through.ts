// Scans a list newest first in windows of candidates, so that no call reads or holds an unbounded amount.
import type { ByteBudget } from "@/db/bytes";
import type { SamplePart } from "@/db/sample";
import { inTurn } from "@/server/fairness/turns";
import type { CallRequest } from "./context";
import { protocolFailure } from "./errors";
import { limits } from "./limits";
import type { Position } from "./page";

/** A part of a list: after one position, down to and including another. Null means from the start, or to the end. */
export interface Stretch {
  after: Position | null;
  until: Position | null;
}

/** Rows in list order, some of which may match. Several sources make up a list; each row is in exactly one. */
export interface Source<Row extends Position> {
  /** The position of the `size`-th candidate after `after`, or null if fewer are left. Omitted for short sources. */
  edge?(after: Position | null, size: number): Promise<Position | null>;
  /** Whether (nearly) every candidate matches. A page then reads little more than it shows and needs no windows. */
  matchesAll?: boolean;
  /** The newest matches of the stretch: at most `limit`. Stops after the first that exceeds the budget. */
  rows(stretch: Stretch, limit: number, budget: ByteBudget): Promise<Row[]>;
  /** The number of matches in the stretch. */
  count(stretch: Stretch): Promise<number>;
  /** Counts the matches in a part of the sample. Omitted for short sources. */
  sample?: SamplePart;
}

/** The rows found, and the position down to which everything was examined; null at the end of the list. */
export interface Found<Row> {
  rows: Row[];
  reached: Position | null;
}

const { first, window, windows, countWindow } = limits.look;

/**
 * Finds the newest matches after a position: at most `limit` rows, `bytes` of stored text, and a fixed number of
 * candidates. A caller who needs more continues at `reached`. Other callers run between windows.
 */
export async function lookThrough<Row extends Position>(
  call: Pick<CallRequest, "notes">,
  sources: readonly Source<Row>[],
  after: Position | null,
  limit: number,
  bytes: number = limits.page.bytes,
): Promise<Found<Row>> {
  const inWindows = sources.filter(({ matchesAll }) => !matchesAll);
  const rows: Row[] = [];
  let [at, left] = [after, bytes];
  for (let step = 0; ; step++) {
    const [from, wanted, budget] = [at, limit - rows.length, left];
    const looked = await inTurn(call, async () => {
      // Most pages are full after few candidates.
      const until = await edgeOf(inWindows, from, step === 0 ? first : window);
      return readStretch(sources, { after: from, until }, wanted, budget);
    });
    rows.push(...looked.rows);
    at = looked.reached;
    left = looked.left;
    if (at === null || rows.length >= limit || left < 0 || step === windows) return { rows, reached: at };
  }
}

/**
 * Finds the newest matches in one window of `size` candidates: at most `limit`, and some of those that a page would
 * have.
 */
export async function lookOnce<Row extends Position>(
  call: Pick<CallRequest, "notes">,
  sources: readonly Source<Row>[],
  limit: number,
  size: number = window,
): Promise<Row[]> {
  return inTurn(call, async () => {
    const until = await edgeOf(
      sources.filter(({ matchesAll }) => !matchesAll),
      null,
      size,
    );
    return (await readStretch(sources, { after: null, until }, limit, limits.page.bytes)).rows;
  });
}

/**
 * Counts all matches, up to `most`. Other callers run between windows. Refuses as `unavailable` once the call's signal
 * is aborted because the caller disconnected or the process stops.
 */
export async function countThrough(
  call: Pick<CallRequest, "notes" | "signal">,
  sources: readonly Pick<Source<Position>, "edge" | "count">[],
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let total = 0;
  for (const source of sources) {
    let at: Position | null = null;
    do {
      const from: Position | null = at;
      const counted: Counted = await inTurn(call, () => countWindowOf(source, from));
      total += counted.total;
      at = counted.until;
      if (total >= most) return most;
      if (at && call.signal.aborted)
        throw protocolFailure("unavailable", "The count was aborted.", { "Retry-After": "1" });
    } while (at !== null);
  }
  return total;
}

interface Counted {
  total: number;
  until: Position | null;
}

/** Counts the matches in the source's next window, and returns where it ends. */
async function countWindowOf(
  source: Pick<Source<Position>, "edge" | "count">,
  after: Position | null,
): Promise<Counted> {
  const until = (await source.edge?.(after, countWindow)) ?? null;
  return { total: await source.count({ after, until }), until };
}

/** The nearest edge of all sources: down to there, every window is complete. */
export async function edgeOf(
  sources: readonly Source<Position>[],
  after: Position | null,
  size: number,
): Promise<Position | null> {
  const share = Math.max(limits.look.least, Math.ceil(size / sources.length));
  let nearest: Position | null = null;
  for (const source of sources) {
    const edge = (await source.edge?.(after, share)) ?? null;
    if (edge && (!nearest || newerFirst(edge, nearest) < 0)) nearest = positionOf(edge);
  }
  return nearest;
}

interface Looked<Row> extends Found<Row> {
  /** Bytes left in the budget; below zero once a row exceeds it. */
  left: number;
}

interface Sized<Row> {
  row: Row;
  bytes: number;
}

/**
 * The newest rows of one stretch of all sources. Sources are read one after another, each only down to where the page
 * ends so far. So a caller occupies one connection, and at most twice the bytes of a page are held.
 */
async function readStretch<Row extends Position>(
  sources: readonly Source<Row>[],
  { after, until }: Stretch,
  limit: number,
  bytes: number,
): Promise<Looked<Row>> {
  let page: Sized<Row>[] = [];
  let [reached, left] = [until, bytes];
  for (const source of sources) {
    const found = await rowsOf(source, { after, until: reached }, limit, bytes);
    const merged = [...page, ...found].sort((a, b) => newerFirst(a.row, b.row));
    page = [];
    left = bytes;
    for (const one of merged) {
      page.push(one);
      left -= one.bytes;
      if (page.length < limit && left >= 0) continue;
      reached = positionOf(one.row);
      break;
    }
  }
  return { rows: page.map(({ row }) => row), reached, left };
}

/** The rows of one source. Starts with few rows until their size is known, because a driver may buffer all it reads. */
async function rowsOf<Row extends Position>(
  source: Source<Row>,
  { after, until }: Stretch,
  limit: number,
  bytes: number,
): Promise<Sized<Row>[]> {
  const rows: Row[] = [];
  const budget: ByteBudget = { left: bytes, sizes: [] };
  let rowBytes: number = limits.look.rowBytes;
  for (let last = after; ; last = positionOf(rows.at(-1))) {
    const wanted = Math.min(limit - rows.length, Math.max(1, Math.floor(budget.left / rowBytes)));
    const found = await source.rows({ after: last, until }, wanted, budget);
    rows.push(...found);
    if (found.length < wanted || rows.length >= limit || budget.left < 0) break;
    rowBytes = (bytes - budget.left) / rows.length;
  }
  return rows.map((row, i) => ({ row, bytes: budget.sizes[i] ?? 0 }));
}

/** Only the position of a row: statements are prepared for each shape of their parameters. */
const positionOf = (row: Position | undefined): Position | null =>
  row ? { createdAt: row.createdAt, id: row.id } : null;

/** The sort order of every list. */
export const newerFirst = (a: Position, b: Position): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
