// Turns: work starts at once while there is little; under load, callers who have used less time go first.
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { limits } from "@/server/kit/limits";
import { Turns } from "./turns";

const here = () => false;

/** Milliseconds on the clock of the turns, which only work advances. */
let time = 0;
const work = (ms: number) => {
  time += ms;
};
const newTurns = () => new Turns(() => time);

/** Asks for a turn and works in it; `order` records who worked when. */
async function piece(turns: Turns, caller: string, ms: number, order: string[], hasLeft = here): Promise<void> {
  const { first, ended } = turns.of(caller, hasLeft);
  try {
    await first();
    order.push(caller);
    work(ms);
  } finally {
    ended();
  }
}

test("work starts at once while there is little of it", async () => {
  const turns = newTurns();
  for (const caller of ["a", "b", "a"]) {
    expect(turns.of(caller, here).first()).toBeNull();
    await nextTurn();
    await nextTurn();
  }
});

test("a caller with much work does not delay one with little", async () => {
  const turns = newTurns();
  const order: string[] = [];
  const busy = Array.from({ length: 50 }, () => piece(turns, "busy", 6, order));
  await nextTurn();
  await nextTurn();
  const before = order.length;
  expect(before).toBeLessThan(15);
  await piece(turns, "other", 0, order);
  expect(order.indexOf("other") - before).toBeLessThanOrEqual(2);
  await Promise.all(busy);
  expect(order).toHaveLength(51);
});

test("callers take turns by the time that they have used", async () => {
  const turns = newTurns();
  const order: string[] = [];
  turns.of("first", here).first();
  work(6);
  const costs = { much: 8, little: 1 };
  const all = (["much", "much", "much", "little", "little", "little", "little"] as const).map((caller) =>
    piece(turns, caller, costs[caller], order),
  );
  await Promise.all(all);
  expect(order).toEqual(["much", "little", "little", "little", "little", "much", "much"]);
});

test("an idle caller does not accumulate time", async () => {
  const turns = newTurns();
  const order: string[] = [];
  turns.of("first", here).first();
  work(6);
  const busy = Promise.all(Array.from({ length: 6 }, () => piece(turns, "busy", 6, order)));
  while (order.length < 3) await nextTurn();
  const before = order.length;
  await Promise.all([busy, ...Array.from({ length: 4 }, () => piece(turns, "late", 6, order))]);
  expect(order.slice(before, before + 6).filter((caller) => caller === "late")).toHaveLength(3);
});

test("the event loop runs between long pieces of work", async () => {
  const turns = newTurns();
  let turnsOfLoop = 0;
  let isRunning = true;
  const count = async () => {
    for (; isRunning; await nextTurn()) turnsOfLoop++;
  };
  const counting = count();
  await Promise.all(Array.from({ length: 20 }, () => piece(turns, "busy", 6, [])));
  isRunning = false;
  await counting;
  expect(turnsOfLoop).toBeGreaterThanOrEqual(10);
});

test("several pieces start in a turn, even if the event loop is busy otherwise", async () => {
  const turns = newTurns();
  const order: string[] = [];
  let isBusy = true;
  const others = async () => {
    for (; isBusy; await nextTurn()) work(20);
  };
  const busy = others();
  turns.of("first", here).first();
  work(6);
  const all = Promise.all(Array.from({ length: 24 }, (_, i) => piece(turns, `caller ${i}`, 0.1, order)));
  for (let i = 0; i < 6; i++) await nextTurn();
  isBusy = false;
  expect(order).toHaveLength(24);
  await Promise.all([all, busy]);
});

test("further pieces of work wait for a turn, even under little load", async () => {
  const turns = newTurns();
  const order: string[] = [];
  const long = async () => {
    const { first, piece } = turns.of("long", here);
    await first();
    for (let i = 0; i < 5; i++) {
      await piece(async () => {
        order.push("long");
        work(6);
      });
    }
  };
  const busy = Promise.all([long(), long()]);
  while (order.length < 3) await nextTurn();
  const before = order.length;
  await piece(turns, "other", 0, order);
  expect(order.indexOf("other") - before).toBeLessThanOrEqual(2);
  await busy;
  expect(order).toHaveLength(11);
});

test("a few pieces of a caller run at a time, even while they wait for a database", async () => {
  const turns = newTurns();
  let [running, most] = [0, 0];
  const { piece } = turns.of("caller", here);
  const read = async () => {
    most = Math.max(most, ++running);
    await nextTurn();
    await nextTurn();
    running--;
  };
  await Promise.all(Array.from({ length: 10 }, () => piece(read)));
  expect(most).toBe(limits.piecesAtOnce);
});

test("a caller who has used much time gets a turn, however many newcomers there are", async () => {
  const turns = newTurns();
  const order: string[] = [];
  turns.of("first", here).first();
  work(6);
  const all = [piece(turns, "busy", 6, order), piece(turns, "busy", 1, order)];
  let newcomer = 0;
  const arrive = () => {
    const name = `new ${newcomer++}`;
    if (newcomer > 300) return;
    all.push(
      (async () => {
        await turns.of(name, here).first();
        order.push(name);
        arrive();
        arrive();
        work(1);
      })(),
    );
  };
  arrive();
  while (order.length < 150) await nextTurn();
  expect(order.lastIndexOf("busy")).toBeGreaterThan(1);
  expect(order.lastIndexOf("busy")).toBeLessThan(70);
  await Promise.all(all);
});

test("a disconnected caller gets no turn", async () => {
  const turns = newTurns();
  const order: string[] = [];
  turns.of("first", here).first();
  work(6);
  const gone = piece(turns, "gone", 0, order, () => true);
  await piece(turns, "here", 0, order);
  await expect(gone).rejects.toMatchObject({ code: "unavailable" });
  expect(order).toEqual(["here"]);
});

test("work waits while connections arrive, but not for long", async () => {
  const turns = newTurns();
  const order: string[] = [];
  turns.of("first", here).first();
  work(6);
  const waiting = piece(turns, "busy", 0, order);
  const accept = async (connections: number) => {
    for (let i = 0; i < connections; i++) {
      turns.noteConnection();
      await nextTurn();
    }
  };
  await accept(20);
  expect(order).toEqual([]);
  work(6);
  await accept(2);
  expect(order).toEqual(["busy"]);
  await waiting;
});

test("a caller may start a few requests at a time, without delaying others", async () => {
  const turns = newTurns();
  const order: string[] = [];
  const begun = Array.from({ length: limits.begun.atOnce }, () => turns.of("busy", here));
  for (const { first } of begun) await first();
  const next = piece(turns, "busy", 0, order);
  await piece(turns, "other", 0, order);
  for (let n = 0; n < 10; n++) await nextTurn();
  expect(order).toEqual(["other"]);
  begun[0]?.ended();
  begun[0]?.ended();
  await next;
  expect(order).toEqual(["other", "busy"]);
});

test("a long request counts as starting for a while; a disconnected one does not", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const turns = newTurns();
    const order: string[] = [];
    for (let n = 0; n < limits.begun.atOnce; n++) await turns.of("busy", here).first();
    const gone = expect(piece(turns, "busy", 0, order, () => true)).rejects.toThrow("The caller disconnected.");
    const last = piece(turns, "busy", 0, order);
    vi.advanceTimersByTime(limits.begun.forMs - 1);
    await nextTurn();
    expect(order).toEqual([]);
    vi.advanceTimersByTime(1);
    await Promise.all([gone, last]);
    expect(order).toEqual(["busy"]);
  } finally {
    vi.useRealTimers();
  }
});

test("after a piece fails, the caller's next one starts", async () => {
  const { piece } = newTurns().of("one", here);
  const failed = piece(() => Promise.reject(new Error("broken")));
  const next = piece(async () => "next");
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("next");
});

test("beside others, a caller with much work pauses between its pieces", async () => {
  const turns = newTurns();
  turns.of("other", here).first();
  const { piece } = turns.of("busy", here);
  const startedAt = performance.now();
  await piece(async () => work(80));
  // Three times the work beyond the first 50 ms, by a timer that may fire a millisecond early.
  await piece(async () => {});
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(89);
});

test("a caller who disconnects before its turn delays nothing", async () => {
  const turns = newTurns();
  turns.of("other", here).first();
  const hasLeft = () => {
    work(10_000);
    turns.of("other", here).first();
    return true;
  };
  // A pause would never end.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    await expect(turns.of("busy", hasLeft).piece(async () => {})).rejects.toThrow("The caller disconnected.");
    expect(await turns.of("busy", here).piece(async () => "next")).toBe("next");
  } finally {
    vi.useRealTimers();
  }
});
