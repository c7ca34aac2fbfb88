// The entrance of the HTTP server: identifies the caller, checks its limits, schedules it, and charges what it cost.
import { hash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Places } from "@/server/fairness/places";
import { type CallRate, rateLimited } from "@/server/fairness/rate";
import { Turns } from "@/server/fairness/turns";
import type { HttpRefusal } from "@/server/kit/errors";
import { isAnonymous } from "@/server/kit/identity";
import { limits } from "@/server/kit/limits";
import { addressBlock } from "@/server/kit/peer";
import { newNotes, type RequestNotes } from "@/server/kit/request-notes";
import { bodyBytesOf } from "./body-bytes";
import { pathOf } from "./path";
import { Stay } from "./stay";

/** The parts of the server that answer requests. */
export type Surface = "rest" | "hosted" | "pages";

/** A request that was admitted. */
export interface Arrival {
  /** The caller's address; null if unknown. */
  readonly address: string | null;
  /** The caller that limits count, as far as it is known this early; see `callerKey`. */
  readonly caller: string;
  readonly notes: RequestNotes;
  /** Call when the work for the request has ended, even by failing: only then are its places released. */
  ended(): void;
  /** Calls `act` once the request's places are released: its response is sent, and its work has ended or timed out. */
  onceLeft(act: () => void): void;
}

/** The facts in a request's headers. */
interface RequestFacts {
  address: string | null;
  surface: Surface;
  /** Whether it came through one of our proxies, whose connections others need too. */
  isProxied: boolean;
  /** Why it is refused regardless of the caller, or null. */
  fault: HttpRefusal | null;
}

export interface EntranceOptions {
  rate: CallRate | null;
  /** Concurrent requests of one address. */
  requestsPerAddress: number;
  /**
   * The credential that this part of the server uses, if the request has one. Other credentials are ignored: otherwise
   * a sender could pass for a new caller with each request. Used only to tell callers apart.
   */
  credentialOf(headers: IncomingHttpHeaders, surface: Surface): string | null;
}

/**
 * How long a credential is remembered as identifying its caller, in milliseconds. A call that is refused early does not
 * renew this.
 */
const knownMs = 300_000;
/** Refusals of a credential that identifies no caller, or no longer does. */
const endedCodes: ReadonlySet<string> = new Set(["unauthorized", "session_already_invalidated"]);

/**
 * Limits count by the caller that the credential last identified, or else by address. This decides nothing but limits:
 * permissions are looked up for each call.
 */
export class Entrance {
  private readonly turns = new Turns();
  private readonly known = new Map<string, Known>();
  private readonly callers = new Places({ perCaller: limits.requestsAtOnce, inAll: Number.POSITIVE_INFINITY });
  private readonly addresses: Places;
  private readonly bodies = new Places(limits.bodiesAtOnce);

  constructor(private readonly options: EntranceOptions) {
    this.addresses = new Places({ perCaller: options.requestsPerAddress, inAll: Number.POSITIVE_INFINITY });
  }

  /** Admits a request or says why not, without reading its body or the database. Refused requests count too. */
  admit(request: IncomingMessage, response: ServerResponse, facts: RequestFacts): Arrival | HttpRefusal {
    const { rate } = this.options;
    const { address, fault } = facts;
    const block = addressBlock(address);
    const credential = this.credentialId(request, facts.surface);
    const known = this.callerOf(credential);
    const caller = known ?? block;
    const release = this.takePlaces(block, known);
    if (!release) return this.refuseFull(caller, facts, "Too many calls are in progress.");
    const seconds = rate?.secondsUsedUp(caller) ?? 0;
    if (rate && seconds > 0) {
      // A delayed refusal occupies a connection too, so it keeps its place until it is sent.
      response.once("close", release);
      return { ...refusalOf(rateLimited(rate.limit, seconds)), delayMs: rate.refusalDelay(caller) };
    }
    if (fault) {
      rate?.charge(caller, 1);
      response.once("close", release);
      return fault;
    }
    const bodyBytes = keptBytes(request);
    const giveBack = this.takeBody(block, caller, bodyBytes);
    if (!giveBack) {
      release();
      return this.refuseFull(caller, facts, "Too many bytes are being sent.");
    }
    const notes = newNotes(this.turns.of(caller, () => response.destroyed));
    const leaving: (() => void)[] = [];
    const stay = new Stay(request, response, (written) => {
      release();
      giveBack();
      this.account({ credential, caller, notes }, bodyBytes + written);
      for (const act of leaving) act();
    });
    const ended = () => {
      notes.turns.ended();
      stay.ended();
    };
    return { address, caller, notes, ended, onceLeft: (act) => void leaving.push(act) };
  }

  /** Reserves room for the body of a request that waits for another on its connection; null if there is none. */
  reserveBody(request: IncomingMessage, address: string | null): (() => void) | null {
    const block = addressBlock(address);
    return this.takeBody(block, block, keptBytes(request));
  }

  /** Counts a message that is not a valid request for the address. Returns whether the address has calls left. */
  countBroken(address: string | null): boolean {
    const { rate } = this.options;
    const block = addressBlock(address);
    if (!rate) return true;
    if (rate.secondsUsedUp(block) > 0) return false;
    rate.charge(block, 1);
    return true;
  }

  private takeBody(block: string, caller: string, bytes: number): (() => void) | null {
    return bytes > 0 ? this.bodies.takeAt(block, caller, bytes) : () => {};
  }

  /**
   * Refuses a caller for whom there is no room, and counts that as a call. A caller without calls left gets the answer
   * late, as with other refusals, unless one of our proxies sent the request: its connections serve others too.
   */
  private refuseFull(caller: string, { isProxied }: RequestFacts, description: string): HttpRefusal {
    const { rate } = this.options;
    rate?.charge(caller, 1);
    const isDelayed = rate && !isProxied && rate.secondsUsedUp(caller) > 0;
    const delayMs = isDelayed ? rate.refusalDelay(caller) : 0;
    return { code: "rate_limited", description, headers: { "Retry-After": "1" }, delayMs };
  }

  /**
   * An unknown caller takes a place of its address. A known caller takes one of its own and one of those for its
   * address's known callers, so that users behind one proxy cannot take all its connections, nor strangers the users'
   * places.
   */
  private takePlaces(block: string, known: string | undefined): (() => void) | null {
    if (known === undefined) return this.addresses.take(block);
    const ofAddress = this.addresses.take(`known ${block}`);
    if (!ofAddress) return null;
    const ofCaller = this.callers.take(known);
    if (!ofCaller) {
      ofAddress();
      return null;
    }
    return () => {
      ofCaller();
      ofAddress();
    };
  }

  /** Call for each new connection, so that work waits while the server accepts queued connections. */
  noteConnection(): void {
    this.turns.noteConnection();
  }

  private credentialId(request: IncomingMessage, surface: Surface): string | null {
    const credential = this.options.credentialOf(request.headers, surface);
    return credential === null ? null : hash("sha256", credential, "base64");
  }

  /** The caller that the credential recently identified. */
  private callerOf(credential: string | null): string | undefined {
    const known = credential === null ? undefined : this.known.get(credential);
    return known && performance.now() < known.until ? known.callerKey : undefined;
  }

  /** Remembers the caller that the credential identified, and charges the bytes of the request and its response. */
  private account({ credential, caller, notes }: Finished, bytes: number): void {
    const { rate } = this.options;
    const { callerKey, actor } = notes;
    const points = Math.floor(bytes / limits.bytesPerCall);
    // A request refused before any operation, such as one with a broken body, counts as a call too.
    if (callerKey === null) {
      if (!notes.isCounted) rate?.charge(caller, points + 1);
      return;
    }
    rate?.charge(callerKey, points);
    if (credential === null || actor === null) return;
    if (isAnonymous(actor)) {
      // A token that has ended must no longer count against the user.
      if (notes.errorCode !== null && endedCodes.has(notes.errorCode)) this.known.delete(credential);
      return;
    }
    this.known.delete(credential);
    const [oldest] = this.known.keys();
    if (this.known.size >= limits.remembered.credentials && oldest !== undefined) this.known.delete(oldest);
    this.known.set(credential, { callerKey, until: performance.now() + knownMs });
  }
}

interface Known {
  callerKey: string;
  /** In `performance.now()`. */
  until: number;
}

interface Finished {
  credential: string | null;
  /** The caller that the request was counted for when it was admitted. */
  caller: string;
  notes: RequestNotes;
}

/** Bytes of the body that stay in memory during the request. */
function keptBytes({ headers, url = "/" }: IncomingMessage): number {
  const most = bodyBytesOf(pathOf(url));
  if (headers["transfer-encoding"] !== undefined) return most;
  return Math.min(Number(headers["content-length"] ?? 0), most);
}

const refusalOf = ({ message, headers }: { message: string; headers: Readonly<Record<string, string>> }) =>
  ({ code: "rate_limited", description: message, headers }) as const;
