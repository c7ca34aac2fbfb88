// Keeps a process to the database's time, so that processes on several machines agree on what is due and what is over.
import type { TimeSources } from "./clock";

/** How often the database is asked, in milliseconds. */
const everyMs = 30_000;

interface Following {
  /** The machine's clock, corrected by how far the database's is from it. */
  wall(): number;
  stop(): void;
}

/**
 * Asks for the database's time (epoch milliseconds), now and every 30 seconds. Rejects if it cannot be told the first
 * time; later failures go to `report`, and the last correction stays.
 */
export async function followDatabase(
  databaseTime: () => Promise<number>,
  { wall }: Pick<TimeSources, "wall">,
  report: (error: unknown) => void,
): Promise<Following> {
  let correction = 0;
  async function measure(): Promise<void> {
    const before = wall();
    const at = await databaseTime();
    // It was read somewhere between the two, however long the answer took: what fits is kept.
    correction = Math.min(Math.max(correction, at - wall()), at - before);
  }
  await measure();
  const timer = setInterval(() => void measure().catch(report), everyMs).unref();
  return { wall: () => wall() + correction, stop: () => clearInterval(timer) };
}
