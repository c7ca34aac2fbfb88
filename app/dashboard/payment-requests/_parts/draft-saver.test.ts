// Saving a draft: soon after a change, one call at a time, with what changed meanwhile, and again after a failure.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Content } from "./content-values";
import { DraftSaver, pauseMs, retryMs, type Saving } from "./draft-saver";

let typed: Content | null;
let sent: Content[];
let shown: Saving[];
let answers: { done(): void; fail(error: unknown): void }[];
let saver: DraftSaver;
beforeEach(() => {
  vi.useFakeTimers();
  typed = { description: null, amount: 100, metadata: {} };
  [sent, shown, answers] = [[], [], []];
  saver = new DraftSaver(typed, {
    read: () => typed,
    send(changes) {
      sent.push(changes);
      return new Promise<void>((done, fail) => void answers.push({ done, fail }));
    },
    mayPass: (error) => error === "network",
    show: (saving) => void shown.push(saving),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

function type(change: Content) {
  typed = { ...typed, ...change };
  saver.changed();
}
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const answer = async (error?: unknown) => {
  const last = answers.at(-1);
  if (error === undefined) last?.done();
  else last?.fail(error);
  await wait(0);
};

it("saves once typing has paused, and only what has changed", async () => {
  type({ description: "C" });
  await wait(pauseMs - 1);
  type({ description: "Chairs" });
  await wait(pauseMs - 1);
  expect(sent).toEqual([]);
  await wait(1);
  expect(sent).toEqual([{ description: "Chairs" }]);
  expect(saver.hasUnsaved()).toBe(true);
  await answer();
  expect([shown, saver.hasUnsaved()]).toEqual([["waiting", "waiting", "saving", "saved"], false]);
  type({ description: "Chairs" });
  await wait(pauseMs);
  expect(sent).toHaveLength(1);
});

it("sends what was typed during a call after it, and nothing twice", async () => {
  type({ amount: 200 });
  await wait(pauseMs);
  type({ amount: 300 });
  await wait(10 * pauseMs);
  expect(sent).toEqual([{ amount: 200 }]);
  await answer();
  expect(sent).toEqual([{ amount: 200 }, { amount: 300 }]);
  await answer();
  expect(shown.at(-1)).toBe("saved");
});

it("tries again after a failure, and not after a refusal until something changes", async () => {
  type({ amount: 200 });
  await wait(pauseMs);
  await answer("network");
  expect(shown.at(-1)).toBe("failed");
  await wait(retryMs);
  await answer("refused");
  expect([shown.at(-1), sent.length]).toEqual(["refused", 2]);
  await wait(10 * retryMs);
  expect([saver.hasUnsaved(), sent.length]).toEqual([true, 2]);
  type({ amount: 300 });
  await wait(pauseMs);
  await answer();
  expect([shown.at(-1), sent.at(-1)]).toEqual(["saved", { amount: 300 }]);
});

it("saves nothing while a field cannot be saved, and says so", async () => {
  const before = typed;
  typed = null;
  saver.changed();
  await wait(pauseMs);
  expect([sent, shown.at(-1), saver.hasUnsaved()]).toEqual([[], "invalid", true]);
  typed = before;
  saver.flush();
  expect(saver.hasUnsaved()).toBe(false);
});

it("removes metadata whose key is gone", async () => {
  type({ metadata: { a: "1", b: "2" } });
  await wait(pauseMs);
  await answer();
  type({ metadata: { b: "3" } });
  await wait(pauseMs);
  expect(sent.at(-1)).toEqual({ metadata: { a: null, b: "3" } });
});

it("saves what was typed while a call was refused, and a caller that waited for that call learns the outcome", async () => {
  type({ description: "Taken" });
  await wait(pauseMs);
  type({ description: "Free" });
  const saving = saver.save();
  await answer("refused");
  expect(sent).toEqual([{ description: "Taken" }, { description: "Free" }]);
  await answer();
  await expect(saving).resolves.toBeUndefined();
  expect(shown.at(-1)).toBe("saved");
});
