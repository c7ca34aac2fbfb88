// Counts recent failed sign-ins in this process. Under attack from many addresses, unknown devices are slowed down.
import { RateLimiterMemory } from "rate-limiter-flexible";
import { networkOf } from "@/server/kit/peer";

const windowSeconds = 300;
const delayMs = 1000;
/** One IPv6 network triggers the delay at this fraction of the failures. */
const shareOfNetwork = 10;

/** Delays but never locks out: those who know their password still get in. */
export class Pressure {
  private readonly all: RateLimiterMemory;
  private readonly networks: RateLimiterMemory;

  /** `most` failures in five minutes cause no delay. */
  constructor(most: number) {
    this.all = new RateLimiterMemory({ points: most, duration: windowSeconds });
    this.networks = new RateLimiterMemory({ points: Math.ceil(most / shareOfNetwork), duration: windowSeconds });
  }

  /** Counts a failed sign-in from an address. */
  async note(address: string | null): Promise<void> {
    await this.all.penalty("all");
    const network = networkOf(address);
    if (network !== null) await this.networks.penalty(network);
  }

  /** Milliseconds to delay a sign-in from this address before its password is checked. */
  async delayFor(address: string | null): Promise<number> {
    const network = networkOf(address);
    const states = await Promise.all([this.all.get("all"), network === null ? null : this.networks.get(network)]);
    return states.some((state) => state !== null && state.remainingPoints <= 0) ? delayMs : 0;
  }
}
