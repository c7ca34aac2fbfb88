// The rows of npm run faults: whole, stopped in the middle, broken off, and not run.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import type { Fault } from "./fault";
import { rowOf } from "./rounds";
import { isBad, tableOf } from "./table";

const fault = (run: Fault["run"], lacks: Fault["lacks"] = () => null): Fault => ({
  ...{ name: "fault", title: "a fault", engines: ["sqlite"], rounds: 3, lacks, run },
});
const settings = (signal = new AbortController().signal) => ({ seed: 1, signal, say: () => {} });

it("counts the rounds of a whole fault", async () => {
  const row = await rowOf(
    fault(async ({ rounds, found }) => {
      for (const round of rounds) found.acknowledged += round;
    }),
    "sqlite",
    settings(),
  );
  expect(isBad(row)).toBe(false);
  expect(tableOf([row])).toContain("| `fault`: a fault | sqlite | 3 | 6 | 0 | 0 | 0 | – | 0:00 min |  |");
});

it("shows what was lost, doubled or wrong, each once", async () => {
  const row = await rowOf(
    fault(async ({ found }) => void found.lost.push("one", "one", "two")),
    "postgres",
    settings(),
  );
  expect(isBad(row)).toBe(true);
  expect(tableOf([row])).toContain("| postgres | 0 | 0 | 2 | 0 | 0 |");
});

it("marks a fault that is stopped, after its own end, and those that come after it", async () => {
  const stopped = new AbortController();
  const cleanUp = vi.fn();
  const first = await rowOf(
    fault(async ({ rounds }) => {
      try {
        for (const round of rounds) {
          if (round === 2) stopped.abort();
          await sleep(1);
        }
      } finally {
        cleanUp();
      }
    }),
    "sqlite",
    settings(stopped.signal),
  );
  expect(cleanUp).toHaveBeenCalledOnce();
  expect(isBad(first)).toBe(true);
  const second = await rowOf(fault(vi.fn()), "sqlite", settings(stopped.signal));
  expect(tableOf([first, second])).toMatch(/2 of 3 .* STOPPED, unfinished. \|\n.* NOT RUN: stopped before it \|$/);
});

it("marks a fault that breaks off, and says what a machine lacks", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  const broken = await rowOf(
    fault(() => Promise.reject(new Error("no server"))),
    "sqlite",
    settings(),
  );
  expect(print).toHaveBeenCalledWith(new Error("no server"));
  print.mockRestore();
  expect(isBad(broken)).toBe(true);
  expect(tableOf([broken])).toContain("BROKE OFF.");
  const lacking = await rowOf(
    fault(vi.fn(), () => "no strace"),
    "sqlite",
    settings(),
  );
  expect([isBad(lacking), isBad(lacking, true)]).toEqual([true, false]);
  expect(tableOf([lacking])).toContain("NOT RUN: no strace");
});
