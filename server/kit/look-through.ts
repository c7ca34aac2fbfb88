// Looking through a list newest first, a window of candidates at a time, so that no call reads or holds without bound.
import type { ByteBudget } from "@/db/bytes";
import { inTurn } from "@/server/fairness/turns";
import type { CallRequest } from "./context";
import { protocolFailure } from "./errors";
import { limits } from "./limits";
import type { Position } from "./page";

/** A part of a list: what comes after one position, down to and including another. Null means from the start, to the end. */
export interface Stretch {
  after: Position | null;
  until: Position | null;
}

/** Rows in the order of a list, some of which may match. Several sources together make a list; no row is in two. */
export interface Source<Row extends Position> {
  /** The position of the `size`-th candidate after `after`, or null where fewer are left. Left out where there are few. */
  edge?(after: Position | null, size: number): Promise<Position | null>;
  /** Whether (nearly) every candidate matches: a page then reads little more than it shows, and needs no windows. */
  matchesAll?: boolean;
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
 * A caller who needs more continues at `reached`. Other callers get their turn between windows.
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
  for (let step = 1; ; step++) {
    const [from, wanted, budget] = [at, limit - rows.length, left];
    const looked = await inTurn(call, async () => {
      const until = await edgeOf(inWindows, from, window);
      return readStretch(sources, { after: from, until }, wanted, budget);
    });
    rows.push(...looked.rows);
    at = looked.reached;
    left = looked.left;
    if (at === null || rows.length >= limit || left < 0 || step === windows) return { rows, reached: at };
  }
}

/**
 * How many match in all; stops counting at `most`. Other callers get their turn between windows. Refuses as
 * `unavailable` once the call's signal is aborted: the caller has gone, or the process stops.
 */
export async function countThrough(
  call: Pick<CallRequest, "notes" | "signal">,
  sources: readonly Source<Position>[],
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
        throw protocolFailure("unavailable", "The count was given up.", { "Retry-After": "1" });
    } while (at !== null);
  }
  return total;
}

interface Counted {
  total: number;
  until: Position | null;
}

/** How many match in the source's next window, and where it ends. */
async function countWindowOf(source: Source<Position>, after: Position | null): Promise<Counted> {
  const until = (await source.edge?.(after, countWindow)) ?? null;
  return { total: await source.count({ after, until }), until };
}

/** The nearest of the sources' edges: down to there the window of each is whole. */
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
  /** Bytes that are left of the budget; below zero once a row exceeded it. */
  left: number;
}

interface Sized<Row> {
  row: Row;
  bytes: number;
}

/**
 * The newest rows of one stretch of all sources. These are read one after another, each down to where the page ends
 * after those before it: so a caller keeps one connection busy, and no more is held than twice the bytes of a page.
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

/** The rows of one source. Few are asked for until it is known how large they are: a driver may hold all that it is asked for. */
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

/** A row's position and nothing else of it: statements are prepared for each shape of what they are given. */
const positionOf = (row: Position | undefined): Position | null =>
  row ? { createdAt: row.createdAt, id: row.id } : null;

/** The order of every list. */
export const newerFirst = (a: Position, b: Position): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
