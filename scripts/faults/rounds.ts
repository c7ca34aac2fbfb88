// Runs a fault's rounds: counts them, says how far they are, and ends them early when the program is stopped.
import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "@/e2e/server";
import { type Fault, type Found, nothingFound, seeded } from "./fault";
import { minutesOf, type Row } from "./table";

const progressEveryMs = 10_000;
/** How long a stopped fault may take to stop its servers and drop its databases. */
const cleanupMs = 20_000;

interface Settings {
  /** The number of rounds, if the fault's own is not wanted. */
  rounds?: number | undefined;
  seed: number;
  /** Aborted when the program is stopped. */
  signal: AbortSignal;
  say(text: string): void;
}

/** Runs one fault on one engine. If it throws, the row says that it broke off. */
export async function rowOf(fault: Fault, engine: Engine, settings: Settings): Promise<Row> {
  const { seed, signal, say } = settings;
  const row = { name: fault.name, title: fault.title, engine };
  const lack = signal.aborted ? "stopped before it" : (fault.lacks?.() ?? null);
  if (lack !== null) return { ...row, result: lack };
  const found = nothingFound();
  const planned = settings.rounds ?? fault.rounds;
  const name = `${fault.name} on ${engine}`;
  const startedAt = performance.now();
  say(`${name}: ${fault.title}, ${planned} rounds`);
  const rounds = countedRounds(planned, found, { ...settings, name });
  let end: "whole" | "stopped" | "broken" = "whole";
  try {
    await withinCleanup(fault.run({ engine, found, rounds, signal, random: seeded(seed) }), signal);
  } catch (error) {
    end = signal.aborted ? "stopped" : "broken";
    if (!signal.aborted) console.error(error);
  }
  const tookMs = performance.now() - startedAt;
  for (const kind of ["lost", "doubled", "wrong"] as const) {
    for (const text of [...new Set(found[kind])].slice(0, 20)) say(`${kind}: ${text}`);
  }
  say(`${name}: ${found.rounds} of ${planned} rounds in ${minutesOf(tookMs)}${end === "whole" ? "" : `, ${end}`}`);
  return { ...row, result: { ...found, planned, tookMs, end } };
}

interface Progress extends Settings {
  name: string;
}

function* countedRounds(planned: number, found: Found, { name, signal, say }: Progress): Iterable<number> {
  let saidAt = performance.now();
  const startedAt = saidAt;
  for (let round = 1; round <= planned; round++) {
    signal.throwIfAborted();
    yield round;
    found.rounds = round;
    const now = performance.now();
    if (now - saidAt < progressEveryMs) continue;
    saidAt = now;
    const left = ((now - startedAt) / round) * (planned - round);
    say(`${name}: ${round} of ${planned} rounds, ${found.acknowledged} acknowledged, about ${minutesOf(left)} to go`);
  }
}

/** Waits for a fault, but not for long once the program is stopped. */
async function withinCleanup(running: Promise<void>, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await Promise.race([running, stopped.then(() => sleep(cleanupMs, undefined, { ref: false }))]);
  signal.throwIfAborted();
}
