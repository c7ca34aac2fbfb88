// How many sign-ins fail just now, counted in this process: under attack from many addresses, strangers are slowed down.
import { RateLimiterMemory } from "rate-limiter-flexible";
import { networkOf } from "@/server/kit/peer";

const windowSeconds = 300;
const delayMs = 1000;
/** One IPv6 network has this share of the failures that slow everyone down. */
const shareOfNetwork = 10;

/** A delay and no lock: those who know their password still get in. */
export class Pressure {
  private readonly all: RateLimiterMemory;
  private readonly networks: RateLimiterMemory;

  /** `most` failures in five minutes are borne without a delay. */
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

  /** Milliseconds that a sign-in from this address has to wait before its password is checked. */
  async delayFor(address: string | null): Promise<number> {
    const network = networkOf(address);
    const states = await Promise.all([this.all.get("all"), network === null ? null : this.networks.get(network)]);
    return states.some((state) => state !== null && state.remainingPoints <= 0) ? delayMs : 0;
  }
}
