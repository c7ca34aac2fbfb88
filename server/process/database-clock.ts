// Follows the database's time, so that processes on several machines agree on what is due and what has expired.
import type { TimeSources } from "./clock";

/** How often the database is asked, in milliseconds. */
const everyMs = 30_000;

interface Following {
  /** The machine's clock plus its difference from the database's. */
  wall(): number;
  stop(): void;
}

/**
 * Asks for the database's time (epoch milliseconds) now and every 30 seconds. Rejects if the first answer fails. Later
 * failures go to `report`, and the last correction is kept.
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
    // The database read its clock at some moment between the two, so a correction within these limits is kept.
    correction = Math.min(Math.max(correction, at - wall()), at - before);
  }
  await measure();
  const timer = setInterval(() => void measure().catch(report), everyMs).unref();
  return { wall: () => wall() + correction, stop: () => clearInterval(timer) };
}
