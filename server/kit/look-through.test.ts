// Looking through lists: following the positions finds every match once, and each step stays within its bounds.
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { ByteBudget } from "@/db/bytes";
import { within } from "@/db/bytes";
import { ownTurns } from "@/server/fairness/turns";
import { countThrough, lookThrough, newerFirst, type Source } from "./look-through";
import type { Position } from "./page";
import { newNotes } from "./request-notes";

vi.mock("./limits", async (original) => {
  const { limits, ...others } = await original<typeof import("./limits")>();
  const look = { first: 2, window: 4, windows: 3, least: 2, countWindow: 5, rowBytes: 700, few: 2 };
  return { ...others, limits: { ...limits, page: { ...limits.page, bytes: 2_000 }, look } };
});

interface Row extends Position {
  isMatch: boolean;
  text: string;
}

/** A call whose pieces run through `piece`. */
const call = (piece = ownTurns.piece) => ({
  notes: newNotes({ ...ownTurns, piece }),
  signal: new AbortController().signal,
});

/** The most candidates examined in one step, for a page and for a count. */
interface Most {
  candidates: number;
  counted: number;
}

/** A source over rows in memory that counts the candidates examined. */
function sourceOf(all: Row[], isFiltered: boolean, most: Most = { candidates: 0, counted: 0 }): Source<Row> {
  const sorted = all.filter((row) => isFiltered || row.isMatch).sort(newerFirst);
  const after = (position: Position | null) => sorted.filter((row) => !position || newerFirst(position, row) < 0);
  const stretch = ({ after: from, until }: { after: Position | null; until: Position | null }) =>
    after(from).filter((row) => !until || newerFirst(row, until) <= 0);
  return {
    edge: async (position, size) => after(position)[size - 1] ?? null,
    matchesAll: !isFiltered,
    async rows(part, limit, budget: ByteBudget) {
      // Extra fields of the row would change the shape of the statement.
      if (part.after) expect(Object.keys(part.after).sort()).toEqual(["createdAt", "id"]);
      const candidates = stretch(part);
      if (isFiltered) most.candidates = Math.max(most.candidates, candidates.length);
      const rows = candidates.filter((row) => row.isMatch).slice(0, limit);
      return within(
        rows.map((row) => [row.text]),
        budget,
      ).map((_, at) => rows[at] as Row);
    },
    async count(part) {
      const candidates = stretch(part);
      most.counted = Math.max(most.counted, candidates.length);
      return candidates.filter((row) => row.isMatch).length;
    },
  };
}

const rows = fc
  .array(
    fc.record({
      createdAt: fc.integer({ min: 0, max: 6 }),
      isMatch: fc.boolean(),
      text: fc.integer({ min: 0, max: 1_500 }).map((length) => "x".repeat(length)),
      source: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map((row, i) => ({ ...row, id: `row_${String(i).padStart(3, "0")}` })));

test("paging finds every match once, in order, in bounded steps", async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      fc.integer({ min: 1, max: 9 }),
      async (all, filtered, limit) => {
        const most = { candidates: 0, counted: 0 };
        const sources = filtered.map((isFiltered, at) =>
          sourceOf(
            all.filter(({ source }) => source === at),
            isFiltered,
            most,
          ),
        );
        const found: Row[] = [];
        let at: Position | null = null;
        do {
          const page: Awaited<ReturnType<typeof lookThrough<Row>>> = await lookThrough(call(), sources, at, limit);
          expect(page.rows.length).toBeLessThanOrEqual(limit);
          const bytes = page.rows.reduce((sum, row) => sum + row.text.length, 0);
          expect(bytes).toBeLessThan(2_000 + 1_500);
          found.push(...page.rows);
          if (at && page.reached) expect(newerFirst(at, page.reached)).toBeLessThan(0);
          at = page.reached;
        } while (at !== null);
        const matches = all.filter((row) => row.isMatch).sort(newerFirst);
        expect(found.map(({ id }) => id)).toEqual(matches.map(({ id }) => id));
        expect(most.candidates).toBeLessThanOrEqual(4);
        expect(await countThrough(call(), sources)).toBe(matches.length);
        expect(await countThrough(call(), sources, 7)).toBe(Math.min(7, matches.length));
        expect(most.counted).toBeLessThanOrEqual(5);
      },
    ),
  );
});

test("a page ends after a fixed number of candidates and yields between windows", async () => {
  const all = Array.from({ length: 30 }, (_, i) => ({
    createdAt: 100 - i,
    id: `row_${i}`,
    text: "",
    isMatch: i === 29,
  }));
  const sources = [sourceOf(all, true)];
  const turn = vi.fn();
  const piece: typeof ownTurns.piece = (work) => {
    turn();
    return work();
  };
  const first = await lookThrough(call(piece), sources, null, 5);
  expect(first).toEqual({ rows: [], reached: { createdAt: 87, id: "row_13" } });
  expect(turn).toHaveBeenCalledTimes(4);
});

test("many sources fill pages like one, read one after another", async () => {
  const all = Array.from({ length: 9 }, (_, i) => ({ createdAt: i, id: `row_${i}`, text: "", isMatch: true }));
  let running = 0;
  let most = 0;
  const alone = async <T>(work: Promise<T>): Promise<T> => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    return work;
  };
  const sources = [...Array(20).fill([]), all, ...Array(20).fill([])].map((rows: Row[]): Source<Row> => {
    const source = sourceOf(rows, true);
    return {
      edge: (...given) => alone(source.edge?.(...given) ?? Promise.resolve(null)),
      rows: (...given) => alone(source.rows(...given)),
      count: (...given) => alone(source.count(...given)),
    };
  });
  const page = await lookThrough(call(), sources, null, 9);
  expect(page).toEqual(await lookThrough(call(), [sourceOf(all, false)], null, 9));
  expect(page.rows.length).toBeGreaterThan(2);
  expect(await countThrough(call(), sources)).toBe(9);
  expect(most).toBe(1);
});

test("a count stops when its caller disconnects", async () => {
  const all = Array.from({ length: 30 }, (_, i) => ({ createdAt: i, id: `row_${i}`, text: "", isMatch: true }));
  const gone = { signal: AbortSignal.abort(new Error("gone")) };
  await expect(countThrough(gone, [sourceOf(all, true)])).rejects.toMatchObject({
    code: "unavailable",
    status: 503,
  });
});
