// A process with a wrong clock follows the database's time, however slowly the database answers.
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { followDatabase } from "./database-clock";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = async (milliseconds: number) => {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
};
const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/**
 * A machine whose clock is `lead` milliseconds ahead, and a database. A test may set the database's lead too, and how
 * long a question and its answer are under way.
 */
function wrongClocks(lead: number) {
  const state = { lead, databaseLead: 0, there: 0, back: 0, fails: false };
  const wall = () => Date.now() + state.lead;
  const databaseTime = async () => {
    await pass(state.there);
    if (state.fails) throw new Error("no connection");
    const at = Date.now() + state.databaseLead;
    await pass(state.back);
    return at;
  };
  return { state, wall, databaseTime };
}

async function follow(
  { databaseTime, wall }: ReturnType<typeof wrongClocks>,
  report: (error: unknown) => void = () => {},
) {
  const following = followDatabase(databaseTime, { wall }, report);
  await wait(10_000);
  return following;
}

it("the process asks again every 30 seconds, and follows changes of either clock", async () => {
  const given = wrongClocks(3_600_000);
  const { wall, stop } = await follow(given);
  expect(wall()).toBe(Date.now());
  given.state.lead = -3_600_000;
  await wait(30_000);
  expect(wall()).toBe(Date.now());
  given.state.databaseLead = 5_000;
  await wait(30_000);
  expect(wall()).toBe(Date.now() + 5_000);
  stop();
  given.state.lead = 0;
  await wait(60_000);
  expect(wall()).toBe(Date.now() + 5_000 + 3_600_000);
});

it("the correction is never off by more than the fastest answer took", async () => {
  // The first two answers together take less than the 10 seconds that the test starts with.
  const times = fc.integer({ min: 0, max: 2_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -7_200_000, max: 7_200_000 }),
      fc.array(fc.tuple(times, times), { minLength: 1, maxLength: 5 }),
      async (lead, answers) => {
        const given = wrongClocks(lead);
        const [first = [0, 0], ...others] = answers;
        Object.assign(given.state, { there: first[0], back: first[1] });
        const { wall, stop } = await follow(given);
        let fastest = first[0] + first[1];
        expect(Math.abs(wall() - Date.now())).toBeLessThanOrEqual(fastest);
        for (const [there, back] of others) {
          Object.assign(given.state, { there, back });
          await wait(30_000);
          fastest = Math.min(fastest, there + back);
          expect(Math.abs(wall() - Date.now())).toBeLessThanOrEqual(fastest);
        }
        stop();
      },
    ),
    { numRuns: 50 },
  );
});

it("the last correction is kept while the database fails, and the failure is reported", async () => {
  const given = wrongClocks(3_600_000);
  const errors: unknown[] = [];
  const { wall, stop } = await follow(given, (error) => errors.push(error));
  given.state.fails = true;
  await wait(30_000);
  expect(errors).toHaveLength(1);
  expect(wall()).toBe(Date.now());
  stop();
});

it("the process cannot start without the database's time", async () => {
  const given = wrongClocks(0);
  given.state.fails = true;
  const following = followDatabase(given.databaseTime, given, () => {});
  const refused = expect(following).rejects.toThrow("no connection");
  await wait(1);
  await refused;
});
