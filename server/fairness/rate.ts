// The general rate limit: API requests per user, API key or address block and minute, counted in this process.
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Actor, CallRequest } from "@/server/kit/context";
import type { HttpRefusal } from "@/server/kit/errors";
import { Failure, protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { callerKey } from "./places";

const windowSeconds = 60;
const slowRefusalMs = 1_000;

/** Counts calls by caller key (see {@link callerKey}) and knows at once whose limit is used up. */
export class CallRate {
  private readonly counter: RateLimiterMemory;
  /** Until when (in `performance.now()`) a caller has no calls left, and how often it was refused since. */
  private readonly usedUp = new Map<string, { until: number; refused: number }>();

  constructor(readonly limit: number) {
    this.counter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  }

  /** Counts `points` calls. Refuses them as `rate_limited` beyond the limit. */
  async count(key: string, points = 1): Promise<RateLimiterRes> {
    try {
      return await this.counter.consume(key, points);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      this.remember(key, refusal.msBeforeNext);
      throw rateLimited(this.limit, secondsOf(refusal.msBeforeNext));
    }
  }

  /** Counts the extra cost of a call that was admitted. */
  charge(key: string, points: number): void {
    if (points <= 0) return;
    void this.counter.penalty(key, points).then(({ consumedPoints, msBeforeNext }) => {
      if (consumedPoints > this.limit) this.remember(key, msBeforeNext);
    });
  }

  /** Seconds until the caller has calls again; 0 if it has some now. */
  secondsUsedUp(key: string): number {
    const entry = this.usedUp.get(key);
    if (!entry) return 0;
    const leftMs = entry.until - performance.now();
    if (leftMs <= 0) this.usedUp.delete(key);
    return Math.max(0, Math.ceil(leftMs / 1000));
  }

  /** How long to delay the next refusal, in milliseconds: a caller who ignores refusals is slowed down. */
  refusalDelay(key: string): number {
    const entry = this.usedUp.get(key);
    return entry && ++entry.refused > limits.promptRefusals ? slowRefusalMs : 0;
  }

  /** The counter uses the machine's clock, which may have been fast. */
  private remember(key: string, msBeforeNext: number): void {
    const [oldest] = this.usedUp.keys();
    if (this.usedUp.size >= limits.remembered.refused && oldest !== undefined) this.usedUp.delete(oldest);
    const until = performance.now() + Math.min(msBeforeNext, windowSeconds * 1000);
    this.usedUp.set(key, { until, refused: this.usedUp.get(key)?.refused ?? 0 });
  }
}

/** Counts the call and refuses it with 429 beyond the limit. The RateLimit headers say how many calls are left. */
export async function limitRate(runtime: Runtime, actor: Actor, request: CallRequest): Promise<void> {
  const { rate } = runtime;
  if (!rate) return;
  const { remainingPoints, msBeforeNext } = await rate.count(callerKey(actor, request));
  Object.assign(request.answerHeaders, rateHeaders(rate.limit, remainingPoints, secondsOf(msBeforeNext)));
}

/** Counts `cost` calls. Resolves to the refusal beyond the limit, else to null. */
export async function refusalByRate(rate: CallRate | null, caller: string, cost: number): Promise<HttpRefusal | null> {
  if (!rate || cost === 0) return null;
  try {
    await rate.count(caller, cost);
    return null;
  } catch (refusal) {
    if (!(refusal instanceof Failure)) throw refusal;
    return { code: "rate_limited", headers: refusal.headers };
  }
}

const secondsOf = (ms: number): number => Math.min(windowSeconds, Math.max(1, Math.ceil(ms / 1000)));

/** The refusal of a caller whose limit is used up for `seconds` more. */
export const rateLimited = (limit: number, seconds: number) =>
  protocolFailure("rate_limited", undefined, {
    ...rateHeaders(limit, 0, seconds),
    "Retry-After": String(seconds),
  });

const rateHeaders = (limit: number, left: number, seconds: number) => ({
  "RateLimit-Policy": `"default";q=${limit};w=${windowSeconds}`,
  RateLimit: `"default";r=${Math.max(0, left)};t=${seconds}`,
});
