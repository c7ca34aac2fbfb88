// The entrance of the HTTP server: who asks, what is left of its limits, its turn, and what the request cost in the end.
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
import { Stay } from "./stay";

/** Which part of the server answers a request. */
export type FaceName = "rest" | "hosted" | "pages";

/** A request that was let in. */
export interface Arrival {
  /** The caller's address; null when nothing is known. */
  readonly address: string | null;
  /** Who limits count the request for, as far as is known before it is looked at; see `callerKey`. */
  readonly caller: string;
  readonly notes: RequestNotes;
  /** To be called when the work for the request has ended, however it ended: only then its places are free. */
  ended(): void;
  /** Calls `act` once the request's places are free: its answer is out, and its work has ended or run out of time. */
  onceLeft(act: () => void): void;
}

/** What is known of a request from its head. */
export interface Asked {
  address: string | null;
  face: FaceName;
  /** Whether it came through a proxy of ours, whose connections others need as well. */
  isProxied: boolean;
  /** Why it is refused from any caller, or null. */
  fault: HttpRefusal | null;
}

export interface EntranceOptions {
  rate: CallRate | null;
  /** Requests under way from one address at the same time. */
  requestsPerAddress: number;
  /**
   * The credential that the face goes by, if the request has one: another one beside it must not make its sender a new
   * caller each time. It is only used to tell callers apart.
   */
  credentialOf(headers: IncomingHttpHeaders, face: FaceName): string | null;
}

/** Milliseconds for which a credential counts for the caller whom it named. Calls that are refused early do not ask again. */
const knownMs = 300_000;
/** Refusals of a credential that names nobody, or nobody any more. */
const endedCodes: ReadonlySet<string> = new Set(["unauthorized", "session_already_invalidated"]);

/**
 * Limits count by the caller whom a credential was last found to name, and else by address. Nothing is decided by that
 * but limits: what a caller may do is looked up for each call.
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

  /** Lets a request in, or says why not, without reading its body or asking the database. What it refuses counts, too. */
  admit(request: IncomingMessage, response: ServerResponse, asked: Asked): Arrival | HttpRefusal {
    const { rate } = this.options;
    const { address, fault } = asked;
    const block = addressBlock(address);
    const credential = this.credentialId(request, asked.face);
    const known = this.callerOf(credential);
    const caller = known ?? block;
    const release = this.takePlaces(block, known);
    if (!release) return this.refuseFull(caller, asked, "Too many calls are under way.");
    const seconds = rate?.secondsUsedUp(caller) ?? 0;
    if (rate && seconds > 0) {
      // A refusal that is held back holds a connection too, so it keeps its place until it is out.
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
      return this.refuseFull(caller, asked, "Too many bytes are on their way.");
    }
    const notes = newNotes(this.turns.of(caller, () => response.destroyed));
    const leaving: (() => void)[] = [];
    const stay = new Stay(request, response, (written) => {
      release();
      giveBack();
      this.settle({ credential, caller, notes }, bodyBytes + written);
      for (const act of leaving) act();
    });
    const ended = () => {
      notes.turns.ended();
      stay.ended();
    };
    return { address, caller, notes, ended, onceLeft: (act) => void leaving.push(act) };
  }

  /** Takes room for the body of a request that waits for another on its connection; null if there is none. */
  holdBody(request: IncomingMessage, address: string | null): (() => void) | null {
    const block = addressBlock(address);
    return this.takeBody(block, block, keptBytes(request));
  }

  /** Counts what is no request for the address; whether it has calls left. */
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
   * late, as with other refusals, unless a proxy of ours sent the request: its connections serve others too.
   */
  private refuseFull(caller: string, { isProxied }: Asked, description: string): HttpRefusal {
    const { rate } = this.options;
    rate?.charge(caller, 1);
    const isHeldBack = rate && !isProxied && rate.secondsUsedUp(caller) > 0;
    const delayMs = isHeldBack ? rate.refusalDelay(caller) : 0;
    return { code: "rate_limited", description, headers: { "Retry-After": "1" }, delayMs };
  }

  /**
   * A place of the address; for a known caller one of its own and one of all known callers of the address. Many users
   * of one address could otherwise take all connections of a proxy, and strangers the places of users beside them.
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

  /** To be called for each new connection, so that work waits while the server accepts those in its queue. */
  noteConnection(): void {
    this.turns.noteConnection();
  }

  private credentialId(request: IncomingMessage, face: FaceName): string | null {
    const credential = this.options.credentialOf(request.headers, face);
    return credential === null ? null : hash("sha256", credential, "base64");
  }

  /** The caller whom the credential named not long ago. */
  private callerOf(credential: string | null): string | undefined {
    const known = credential === null ? undefined : this.known.get(credential);
    return known && performance.now() < known.until ? known.callerKey : undefined;
  }

  /** Remembers whom the credential named, and charges what the request moved. */
  private settle({ credential, caller, notes }: Settled, bytes: number): void {
    const { rate } = this.options;
    const { callerKey, actor } = notes;
    const points = Math.floor(bytes / limits.bytesPerCall);
    // What was refused before any operation began, such as a broken body, is a call all the same.
    if (callerKey === null) {
      if (!notes.isCounted) rate?.charge(caller, points + 1);
      return;
    }
    rate?.charge(callerKey, points);
    if (credential === null || actor === null) return;
    if (isAnonymous(actor)) {
      // A token that has ended must not count against the user any more.
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
  /** Of `performance.now()`. */
  until: number;
}

interface Settled {
  credential: string | null;
  /** Who the request was counted for when it was let in. */
  caller: string;
  notes: RequestNotes;
}

/** Bytes of the body that are kept while the request is under way. */
function keptBytes({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return limits.bodyBytes;
  return Math.min(Number(headers["content-length"] ?? 0), limits.bodyBytes);
}

const refusalOf = ({ message, headers }: { message: string; headers: Readonly<Record<string, string>> }) =>
  ({ code: "rate_limited", description: message, headers }) as const;
