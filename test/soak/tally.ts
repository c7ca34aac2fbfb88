// Counts of what the soak did, and their sum over its workers.

/** What a worker did in one part of the soak. */
export interface Part {
  name: string;
  counts: Record<string, number>;
  /** Milliseconds from the beginning to the end, and of this process's time on the processors. */
  tookMs: number;
  busyMs: number;
}

export class Tally {
  private readonly counts: Record<string, number> = {};
  private readonly startedAt = performance.now();
  private readonly usedBefore = process.cpuUsage();

  constructor(private readonly name: string) {}

  readonly add = (name: string, more = 1): void => {
    this.counts[name] = this.of(name) + more;
  };

  of = (name: string): number => this.counts[name] ?? 0;

  get part(): Part {
    const { user, system } = process.cpuUsage(this.usedBefore);
    const tookMs = performance.now() - this.startedAt;
    return { name: this.name, counts: this.counts, tookMs, busyMs: (user + system) / 1000 };
  }
}

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`;

/** The time that a part took, and its time on the processors, which other programs change less. */
export const timeOf = ({ tookMs, busyMs }: Pick<Part, "tookMs" | "busyMs">): string =>
  `${seconds(tookMs)} (${seconds(busyMs)} of processor time)`;

/** The sum of what several workers did at once. */
function sumOf(parts: readonly Part[]): Omit<Part, "name"> {
  const counts: Record<string, number> = {};
  for (const [key, count] of parts.flatMap((part) => Object.entries(part.counts))) {
    counts[key] = (counts[key] ?? 0) + count;
  }
  const busyMs = parts.reduce((total, part) => total + part.busyMs, 0);
  return { counts, busyMs, tookMs: Math.max(...parts.map((part) => part.tookMs)) };
}

/** The report on what several workers did at once, line by line: each part, and its counts in alphabetical order. */
export function summaryOf(done: readonly Part[]): string[] {
  return [...new Set(done.map(({ name }) => name))].flatMap((name) => {
    const sum = sumOf(done.filter((part) => part.name === name));
    const counted = Object.entries(sum.counts).sort(([a], [b]) => (a < b ? -1 : 1));
    return ["", `${name}, ${timeOf(sum)}`, ...counted.map(([key, count]) => `${String(count).padStart(9)}  ${key}`)];
  });
}
