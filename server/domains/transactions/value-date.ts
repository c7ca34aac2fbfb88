// The day on which recorded money moved: at most ten years ago, and never in the future.
import { dayMs, limits } from "@/server/kit/limits";

/**
 * Why money cannot have moved at this instant (epoch milliseconds), as the text of a refusal that names the field; null
 * if it can. A caller's clock may be a little ahead.
 */
export function refusalOfDate(field: string, at: number, now: number): string | null {
  if (at > now + limits.clockSkewMs) return `${field}: must not be in the future`;
  return at < now - limits.effectiveDays * dayMs ? `${field}: must be at most ${limits.effectiveDays} days ago` : null;
}
