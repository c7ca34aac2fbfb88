// Pauses: when others are active, a caller may use a third of the time in the long run.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { beginDraining } from "@/server/process/lifecycle";
import { Pauses } from "./pauses";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => {
  vi.useRealTimers();
  Object.assign(Reflect.get(globalThis, Symbol.for("quittance.lifecycle")), { isDraining: false });
});

const newPauses = () => new Pauses(() => performance.now());

/** Milliseconds until the caller continues after a part that took `tookMs`. */
async function pauseOf(pauses: Pauses, name: string, tookMs: number): Promise<number> {
  const startedAt = performance.now();
  let isOver = false;
  pauses.after(name, tookMs).then(() => {
    isOver = true;
  });
  for (await vi.advanceTimersByTimeAsync(0); !isOver; ) await vi.advanceTimersByTimeAsync(1);
  return performance.now() - startedAt;
}

test("a small burst needs no pause", async () => {
  const pauses = newPauses();
  pauses.note("other");
  for (let n = 0; n < 5; n++) expect(await pauseOf(pauses, "busy", 10)).toBe(0);
  expect(await pauseOf(pauses, "busy", 10)).toBe(30);
});

test("while another caller is active, a long request pauses twice as long as it works", async () => {
  const pauses = newPauses();
  pauses.note("busy");
  await pauseOf(pauses, "busy", 50);
  let paused = 0;
  for (let n = 0; n < 100; n++) {
    pauses.note("other");
    await vi.advanceTimersByTimeAsync(20);
    paused += await pauseOf(pauses, "busy", 20);
  }
  expect(paused).toBeGreaterThanOrEqual(3_900);
  expect(paused).toBeLessThanOrEqual(4_100);
});

test("a pause is bounded, and longer debts are forgiven", async () => {
  const pauses = newPauses();
  pauses.note("other");
  expect(await pauseOf(pauses, "busy", 5_000)).toBe(100);
  await vi.advanceTimersByTimeAsync(200);
  pauses.note("other");
  expect(await pauseOf(pauses, "busy", 40)).toBe(0);
});

test("the only caller does not pause, nor does the first one", async () => {
  const pauses = newPauses();
  for (let n = 0; n < 10; n++) {
    pauses.note("busy");
    expect(await pauseOf(pauses, "busy", 1_000)).toBe(0);
  }
});

test("a caller who was active a while ago does not count, even for a new caller", async () => {
  const pauses = newPauses();
  pauses.note("other");
  await vi.advanceTimersByTimeAsync(101);
  pauses.note("busy");
  expect(await pauseOf(pauses, "busy", 1_000)).toBe(0);
});

test("remembers the last thousand callers and forgets earlier ones", async () => {
  const pauses = newPauses();
  await pauseOf(pauses, "busy", 50);
  for (let n = 0; n < 999; n++) await pauseOf(pauses, `caller ${n}`, 1);
  pauses.note("other");
  expect(await pauseOf(pauses, "busy", 10)).toBe(30);
  for (let n = 0; n < 1_000; n++) await pauseOf(pauses, `later ${n}`, 1);
  pauses.note("other");
  expect(await pauseOf(pauses, "busy", 10)).toBe(0);
});

test("nobody pauses once the process drains", async () => {
  const pauses = newPauses();
  pauses.note("other");
  beginDraining();
  expect(await pauseOf(pauses, "busy", 1_000)).toBe(0);
});
