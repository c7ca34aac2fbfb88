// Crash states: what was synced survives every power loss, and unsynced writes are kept, torn or dropped.
import { expect, it } from "vitest";
import { afterPowerLoss } from "./crash-states";
import { seeded } from "./fault";
import type { FileCall } from "./strace";

let at = 0;
const times = () => ({ file: "f", begunAt: ++at, endedAt: ++at });
const write = (offset: number, fill: string, length = 1024): FileCall => ({
  ...{ ...times(), do: "write", offset, data: Buffer.alloc(length, fill) },
});
const sync = (): FileCall => ({ ...times(), do: "sync" });

it("keeps what was synced, and the size that a synced truncation left", () => {
  const calls = [write(0, "a"), write(1024, "b"), { ...times(), do: "truncate", size: 1536 } as const, sync()];
  for (let seed = 0; seed < 20; seed++) {
    const state = afterPowerLoss(Buffer.alloc(0), calls, seeded(seed));
    expect(state.toString()).toBe("a".repeat(1024) + "b".repeat(512));
  }
});

it("keeps, tears at a sector, or drops what was not synced", () => {
  const states = new Set<string>();
  const calls = [sync(), write(0, "n")];
  for (let seed = 0; seed < 60; seed++) {
    states.add(afterPowerLoss(Buffer.alloc(1024, "o"), calls, seeded(seed)).toString());
  }
  expect([...states].sort()).toEqual(["n".repeat(1024), "n".repeat(512) + "o".repeat(512), "o".repeat(1024)]);
});

it("does not count a write that ended while the sync was running", () => {
  const late: FileCall = { ...write(0, "n"), endedAt: 1_000 };
  const calls: FileCall[] = [late, { file: "f", do: "sync", begunAt: 500, endedAt: 2_000 }];
  const states = Array.from({ length: 30 }, (_, seed) => afterPowerLoss(Buffer.alloc(0), calls, seeded(seed)).length);
  expect(Math.min(...states)).toBe(0);
});
