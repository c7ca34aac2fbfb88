// Two calls at the same time, and what becomes of each.
import { Failure } from "@/server/kit/errors";

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

const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof Failure ? error.code : Promise.reject(error)),
  );
