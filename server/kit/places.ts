// Places for work that goes on for a while, such as downloads: a few for each caller, and a few more in this process.
import type { Actor, CallRequest } from "./context";
import { protocolFailure } from "./errors";
import { addressBlock } from "./peer";

export interface PlaceBounds {
  readonly perCaller: number;
  readonly inAll: number;
}

/** Counts what is under way in this process, for each caller and together. */
export class Places {
  private readonly taken = new Map<string, number>();
  private all = 0;

  constructor(private readonly bounds: PlaceBounds) {}

  /** How many are taken in all. */
  get count(): number {
    return this.all;
  }

  /** Takes a place and returns how to give it back, which counts once; null if none is free. */
  take(caller: string): (() => void) | null {
    const own = this.taken.get(caller) ?? 0;
    if (own >= this.bounds.perCaller || this.all >= this.bounds.inAll) return null;
    this.taken.set(caller, own + 1);
    this.all++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.release(caller);
    };
  }

  /** The same, or a refusal as `rate_limited`, for whoever calls. */
  takeFor({ actor, request }: { actor: Actor; request: CallRequest }, what: string): () => void {
    const place = this.take(callerKey(actor, request));
    if (place) return place;
    throw protocolFailure("rate_limited", `Too many ${what} are under way.`, { "Retry-After": "5" });
  }

  private release(caller: string): void {
    const left = (this.taken.get(caller) ?? 0) - 1;
    if (left > 0) this.taken.set(caller, left);
    else this.taken.delete(caller);
    this.all--;
  }
}

/** Who a caller is to limits that count over all of its sessions: the user, the API key, or the address. */
export function callerKey(actor: Actor, request: CallRequest): string {
  switch (actor.type) {
    case "anonymous":
      return addressBlock(request.ip);
    case "user":
      return actor.userId;
    case "api_key":
      return actor.keyId;
  }
}
