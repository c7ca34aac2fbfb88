// Pauses between parts of one caller's work, so that a heavy caller leaves most of the time to others.

import { limits } from "@/server/kit/limits";
import { isDraining } from "@/server/process/lifecycle";

/** Milliseconds of work that a caller may do without a pause. */
const burstMs = 50;
/** The share of time that parts of a caller's work may take in the long run, not counting the sending of responses. */
const share = 1 / 3;
/** The longest pause in milliseconds. */
const longestMs = 100;
/** Milliseconds for which a caller counts as active after a request. */
const presentMs = 100;
interface LatestRequest {
  name: string;
  at: number;
}

const nobody: LatestRequest = { name: "", at: Number.NEGATIVE_INFINITY };

/**
 * A leaky bucket of working time per caller. Fair turns are not enough on PostgreSQL: its processes compete with this
 * one for the same processors, and a running query cannot be paused.
 */
export class Pauses {
  /** The latest caller, and the latest among all others. */
  private latest = nobody;
  private other = nobody;
  private readonly used = new Map<string, { ms: number; at: number }>();

  /** `now` is a monotonic clock in milliseconds. */
  constructor(private readonly now: () => number) {}

  /** Call for each request and each part of one. */
  note(name: string): void {
    if (name !== this.latest.name) this.other = this.latest;
    this.latest = { name, at: this.now() };
  }

  /**
   * Resolves when the caller's next part may start after one that took `tookMs`. A caller who is alone does not pause,
   * and nobody does once the process drains.
   */
  async after(name: string, tookMs: number): Promise<void> {
    // Anything beyond the longest pause is forgiven.
    const ms = Math.min(this.levelOf(name) + tookMs, burstMs + longestMs * share);
    this.keep(name, ms);
    const pauseMs = Math.round((ms - burstMs) / share);
    if (pauseMs < 1 || isDraining() || !this.areOthersActive(name)) return;
    await new Promise((resume) => setTimeout(resume, pauseMs).unref());
  }

  private areOthersActive(name: string): boolean {
    const { at } = this.latest.name === name ? this.other : this.latest;
    return this.now() - at <= presentMs;
  }

  /** The charged work that the bucket still contains. */
  private levelOf(name: string): number {
    const { ms, at } = this.used.get(name) ?? { ms: 0, at: 0 };
    return Math.max(0, ms - (this.now() - at) * share);
  }

  private keep(name: string, ms: number): void {
    this.used.delete(name);
    this.used.set(name, { ms, at: this.now() });
    const [oldest] = this.used.keys();
    if (this.used.size > limits.remembered.workers && oldest !== undefined) this.used.delete(oldest);
  }
}
