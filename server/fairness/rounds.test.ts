// Rounds: one piece at a time, and a caller with many pieces delays another by one of them at most.
import { expect, test } from "vitest";
import { Rounds } from "./rounds";

/** Runs the pieces, named by their callers, that arrive in this order; resolves to the order in which they ran. */
async function orderOf(arriving: readonly string[]): Promise<string[]> {
  const rounds = new Rounds();
  const ran: string[] = [];
  let running = 0;
  await Promise.all(
    arriving.map(async (name) => {
      const caller = name.slice(0, 1);
      await rounds.take(caller);
      expect(++running).toBe(1);
      ran.push(name);
      await new Promise(setImmediate);
      running--;
      rounds.release(caller);
    }),
  );
  return ran;
}

test("the pieces of one caller run in their order", async () => {
  expect(await orderOf(["a1", "a2", "a3"])).toEqual(["a1", "a2", "a3"]);
});

test("another caller waits for the piece that runs, and not for all that came before", async () => {
  expect(await orderOf(["a1", "a2", "a3", "b1"])).toEqual(["a1", "b1", "a2", "a3"]);
});

test("callers take turns", async () => {
  expect(await orderOf(["a1", "a2", "b1", "b2", "c1"])).toEqual(["a1", "b1", "c1", "a2", "b2"]);
});

test("a turn that was given back is free for anybody", async () => {
  const rounds = new Rounds();
  expect(rounds.take("a")).toBeNull();
  rounds.release("a");
  expect(rounds.take("b")).toBeNull();
});
