// The general rate limit: calls per credential and minute, counted in this process.
import { RateLimiterRes } from "rate-limiter-flexible";
import type { Actor, CallRequest } from "./context";
import { protocolFailure } from "./errors";
import { addressBlock } from "./peer";
import type { Runtime } from "./runtime";

const windowSeconds = 60;

/** Counts the call and refuses it with 429 beyond the limit; the answer's RateLimit headers say what is left. */
export async function limitRate(runtime: Runtime, actor: Actor, request: CallRequest): Promise<void> {
  const { limiter, env } = runtime;
  if (!limiter) return;
  request.answerHeaders["RateLimit-Policy"] = `"default";q=${env.rateLimit};w=${windowSeconds}`;
  try {
    note(request, await limiter.consume(bucketOf(actor, request)));
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    note(request, refusal);
    throw protocolFailure("rate_limited", undefined, { "Retry-After": String(secondsUntilReset(refusal)) });
  }
}

function note(request: CallRequest, state: RateLimiterRes): void {
  request.answerHeaders.RateLimit = `"default";r=${Math.max(0, state.remainingPoints)};t=${secondsUntilReset(state)}`;
}

const secondsUntilReset = (state: RateLimiterRes): number => Math.max(1, Math.ceil(state.msBeforeNext / 1000));

function bucketOf(actor: Actor, request: CallRequest): string {
  switch (actor.type) {
    case "anonymous":
      return addressBlock(request.ip);
    case "user":
      return actor.sessionId;
    case "api_key":
      return actor.keyId;
  }
}
