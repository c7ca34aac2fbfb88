// Calls at the same time, and what becomes of each.
import { Failure } from "@/server/kit/errors";
import type { World } from "./world";

/** What becomes of each call: "done", or the code of its refusal. The calls begin in another order in odd rounds. */
export async function atOnce(round: number, ...calls: [() => Promise<unknown>, () => Promise<unknown>]) {
  const started = calls.map((_, i) => (round % 2 === 1 ? calls.length - 1 - i : i));
  const answers: string[] = [];
  await Promise.all(
    started.map(async (i) => {
      answers[i] = await outcomeOf(calls[i]?.() ?? Promise.resolve());
    }),
  );
  return answers;
}

/** Makes all calls at once, from the processes in turn. Resolves to "done" or the code of its refusal for each. */
export const together = (
  processes: readonly World[],
  ...calls: ((from: World) => Promise<unknown>)[]
): Promise<string[]> =>
  Promise.all(
    calls.map((call, i) => {
      const from = processes[i % processes.length];
      if (!from) throw new Error("No process makes the calls.");
      return outcomeOf(call(from));
    }),
  );

const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof Failure && error.status < 500 ? error.code : Promise.reject(error)),
  );
