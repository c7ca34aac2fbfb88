// Places for long-running work such as downloads: a few per caller and address, and a few more per process.
import type { Actor, CallRequest } from "@/server/kit/context";
import { protocolFailure } from "@/server/kit/errors";
import { idOf } from "@/server/kit/identity";
import { addressBlock } from "@/server/kit/peer";

interface PlaceBounds {
  readonly perCaller: number;
  readonly inAll: number;
  /** For all callers of one address together; see {@link Places.takeAt}. */
  readonly perAddress?: number;
  /**
   * The last `places` are for newcomers: callers (and addresses, if they are counted) that have at most `each`. A few
   * greedy callers can take all other places, but not these.
   */
  readonly newcomers?: { readonly places: number; readonly each: number };
}

interface Call {
  actor: Actor;
  request: CallRequest;
}

/** Counts work in progress in this process, per caller and in total. */
export class Places {
  private readonly taken = new Map<string, number>();
  private readonly ofAddresses: Places | null;
  private all = 0;

  constructor(private readonly bounds: PlaceBounds) {
    const { perAddress, ...others } = bounds;
    this.ofAddresses = perAddress === undefined ? null : new Places({ ...others, perCaller: perAddress });
  }

  /** How many places are taken. */
  get count(): number {
    return this.all;
  }

  /** Takes places and returns a function that releases them, once; null if too few are left. */
  take(caller: string, places = 1): (() => void) | null {
    const own = (this.taken.get(caller) ?? 0) + places;
    const { perCaller, inAll, newcomers } = this.bounds;
    const kept = newcomers && own > newcomers.each ? newcomers.places : 0;
    if (own > perCaller || this.all + places > inAll - kept) return null;
    this.taken.set(caller, own);
    this.all += places;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.release(caller, places);
    };
  }

  /** Like {@link take}, for a caller at an address block whose callers share the places of the address. */
  takeAt(block: string, caller: string, places = 1): (() => void) | null {
    const ofCaller = this.take(caller, places);
    const ofAddress = this.ofAddresses ? this.ofAddresses.take(block, places) : () => {};
    if (ofCaller && ofAddress) {
      return () => {
        ofCaller();
        ofAddress();
      };
    }
    ofCaller?.();
    ofAddress?.();
    return null;
  }

  /** Takes a place for the call; null if there is none. */
  takeIfFree({ actor, request }: Call): (() => void) | null {
    return this.takeAt(addressBlock(request.ip), callerKey(actor, request));
  }

  /** Takes a place for the call, or refuses it as `rate_limited`. */
  takeFor(call: Call, what: string): () => void {
    const place = this.takeIfFree(call);
    if (place) return place;
    throw protocolFailure("rate_limited", `Too many ${what} are in progress.`, { "Retry-After": "5" });
  }

  private release(caller: string, places: number): void {
    const left = (this.taken.get(caller) ?? 0) - places;
    if (left > 0) this.taken.set(caller, left);
    else this.taken.delete(caller);
    this.all -= places;
  }
}

/** The caller that limits count across sessions: the user, the API key, or the address. */
export const callerKey = (actor: Actor, request: CallRequest): string => idOf(actor) ?? addressBlock(request.ip);
