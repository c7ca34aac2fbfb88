// How many rows one call adds up, however many lists it reads.
import { expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import type { Stretch } from "@/server/kit/look-through";
import type { Position } from "@/server/kit/page";
import { totalThrough } from "./totals";

const { windows } = limits.overview;
const { countWindow } = limits.look;

/** A list with so many rows. */
const listOf = (length: number) => ({
  length,
  async edge(after: Position | null, size: number): Promise<Position | null> {
    const left = (after?.createdAt ?? length) - size;
    return left > 0 ? { createdAt: left, id: "x" } : null;
  },
});

/** Lists of this length, and how many rows of them are read in how many windows. */
async function read(lists: number, length: number, enough = Number.POSITIVE_INFINITY) {
  const sources = Array.from({ length: lists }, () => listOf(length));
  const call = { signal: new AbortController().signal, notes: undefined };
  const begun = new Set<object>();
  let [rows, count] = [0, 0];
  const total = async (list: (typeof sources)[number], { after, until }: Stretch) => {
    begun.add(list);
    count++;
    rows += (after?.createdAt ?? list.length) - (until?.createdAt ?? 0);
    return [];
  };
  const { isComplete } = await totalThrough(call, sources, null, total, () => rows >= enough);
  return { rows, windows: count, begun: begun.size, isComplete };
}

it("is bounded for one list", async () => {
  const most = { rows: windows * countWindow, windows, begun: 1 };
  expect(await read(1, windows * countWindow)).toEqual({ ...most, isComplete: true });
  expect(await read(1, windows * countWindow + 1)).toEqual({ ...most, isComplete: false });
});

it("is bounded for all lists together, each of which is begun", async () => {
  for (const lists of [2, windows, windows + 1, limits.look.accounts]) {
    const many = await read(lists, windows * countWindow);
    expect(many).toMatchObject({ begun: lists, isComplete: false });
    expect(many.rows).toBeLessThanOrEqual(2 * windows * countWindow);
  }
  expect(await read(limits.look.accounts, 500)).toMatchObject({ rows: 500 * limits.look.accounts, isComplete: true });
});

it("ends once it is enough", async () => {
  expect(await read(3, 2 * countWindow, countWindow + 1)).toEqual({
    ...{ rows: 2 * countWindow, windows: 2, begun: 1 },
    isComplete: false,
  });
});
