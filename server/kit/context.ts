// What an operation's code is given: the caller, the time, the database, and where its records go.
import type { Reader, Tx } from "@/db/client";
import type { Runtime } from "@/server/process/runtime";
import type { IdPrefix } from "./ids";
import type { RequestNotes } from "./request-notes";

/** Who calls, as the credential alone says. */
export type Actor =
  | { readonly type: "anonymous" }
  | {
      readonly type: "user";
      readonly userId: string;
      readonly organizationId: string;
      readonly role: "member" | "admin";
      readonly sessionId: string;
      readonly sessionKind: "api" | "cookie";
      /** When the password was last given, epoch ms. */
      readonly authenticatedAt: number;
    }
  | {
      readonly type: "api_key";
      readonly keyId: string;
      readonly organizationId: string;
      readonly scopes: readonly string[];
      /** The one account that the key is bound to, if it is. */
      readonly accountId: string | null;
    };

/** What of an organization the caller may see; every query of a tenant's rows takes one. */
export interface Scope {
  readonly organizationId: string;
  /** Only accounts that this user owns, and what belongs to them. */
  readonly ownerUserId: string | null;
  /** Only this account, and what belongs to it. */
  readonly accountId: string | null;
}

/** What the transport knows of one call. */
export interface CallRequest {
  readonly requestId: string;
  /** The Bearer credential exactly as sent, or null. */
  readonly bearer: string | null;
  /** The dashboard's session cookie; never looked at where a Bearer credential is expected. */
  readonly cookie: string | null;
  /** The device token of a browser that has signed in before; null on the API. */
  readonly device: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly idempotencyKey: string | null;
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
  /** Whether only the head of the answer is asked for (HEAD), so that nothing is handed out. */
  readonly isHead?: boolean;
  /** Epoch ms at which the call arrived. */
  readonly receivedAt: number;
  /** Fires when the client has gone or the server drains. */
  readonly signal: AbortSignal;
  /** Filled on the way, where the request has a line in the log. */
  readonly notes?: RequestNotes;
  /** Filled on the way: headers of the answer. */
  readonly answerHeaders: Record<string, string>;
  /** Adds a `Set-Cookie` header to the answer. Only pages have cookies. */
  setCookie(cookie: string): void;
}

interface CallContext {
  readonly runtime: Runtime;
  readonly request: CallRequest;
  readonly actor: Actor;
  /** Epoch ms; the same through the whole call. */
  readonly now: number;
  id(prefix: IdPrefix): string;
  /** For an anonymous caller a scope in which nothing is. */
  readonly scope: Scope;
}

export interface ReadContext extends CallContext {
  readonly db: Reader;
  /**
   * Whether the same call would be let in now, with the same scope. Work that outlives the first check (a download, a
   * long poll) asks at each step: the session may have ended meanwhile, the role changed, the user been removed.
   */
  stillAllowed(): Promise<boolean>;
}

export interface AuditRecord {
  /** The object that was acted upon. */
  target: string | null;
  /** Ids, codes and names of fields. No personal values, no secrets. */
  detail?: Record<string, unknown>;
  /** Where the actor is not the caller: the user who has just signed in or up. */
  actor?: { type: "user" | "system"; id: string | null };
  organizationId?: string | null;
  /** A refusal, of which there may be any number: beyond a bound they are counted instead of written. */
  isRefusal?: boolean;
  /** The message of a line in the security log, for what is no refusal. */
  alarm?: string;
}

export interface EventRecord {
  type: string;
  object: string;
  accountId?: string | null;
  organizationId?: string;
  data: Record<string, unknown>;
  /** The object is new in this transaction, so this is its first event. */
  first?: boolean;
}

export interface WriteContext extends CallContext {
  readonly db: Tx;
  /** Records who did what; a write without a record does not commit. */
  audit(record: AuditRecord): void;
  /** Announces a change of state, in the same transaction. */
  emit(event: EventRecord): void;
}
