// Places for work that goes on for a while, such as downloads: a few for each caller, and a few more in this process.
import type { Actor, CallRequest } from "./context";
import { protocolFailure } from "./errors";
import { addressBlock } from "./peer";

export interface PlaceBounds {
  readonly perCaller: number;
  readonly inAll: number;
  /** For all callers of one address together; see {@link Places.takeFor}. */
  readonly perAddress?: number;
  /** No caller has more places than are still free: the fuller it is, the fewer go to one. */
  readonly leavesRoom?: boolean;
}

/** Counts what is under way in this process, for each caller and together. */
export class Places {
  private readonly taken = new Map<string, number>();
  private readonly ofAddresses: Places | null;
  private all = 0;

  constructor(private readonly bounds: PlaceBounds) {
    const { perAddress, inAll } = bounds;
    this.ofAddresses = perAddress === undefined ? null : new Places({ perCaller: perAddress, inAll });
  }

  /** How many are taken in all. */
  get count(): number {
    return this.all;
  }

  /** Takes places and returns how to give them back, which counts once; null if there are not so many. */
  take(caller: string, places = 1): (() => void) | null {
    const own = (this.taken.get(caller) ?? 0) + places;
    const { perCaller, inAll, leavesRoom } = this.bounds;
    if (own > perCaller || this.all + places > inAll) return null;
    if (leavesRoom && own > inAll - this.all) return null;
    this.taken.set(caller, own);
    this.all += places;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.release(caller, places);
    };
  }

  /** Takes a place for the call, or refuses it as `rate_limited`. */
  takeFor({ actor, request }: { actor: Actor; request: CallRequest }, what: string): () => void {
    const ofCaller = this.take(callerKey(actor, request));
    const ofAddress = this.ofAddresses ? this.ofAddresses.take(addressBlock(request.ip)) : () => {};
    if (ofCaller && ofAddress) {
      return () => {
        ofCaller();
        ofAddress();
      };
    }
    ofCaller?.();
    ofAddress?.();
    throw protocolFailure("rate_limited", `Too many ${what} are under way.`, { "Retry-After": "5" });
  }

  private release(caller: string, places: number): void {
    const left = (this.taken.get(caller) ?? 0) - places;
    if (left > 0) this.taken.set(caller, left);
    else this.taken.delete(caller);
    this.all -= places;
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
