// What an operation receives: the caller, the time, the database, and functions that record audit entries and events.
import type { Reader, Tx } from "@/db/client";
import type { UserRole } from "@/db/schema/values";
import type { Runtime } from "@/server/process/runtime";
import type { IdPrefix } from "./ids";
import type { RequestNotes } from "./request-notes";

/** The caller, as identified by the credential alone. */
export type Actor =
  | { readonly type: "anonymous" }
  | {
      readonly type: "user";
      readonly userId: string;
      readonly organizationId: string;
      readonly role: UserRole;
      readonly sessionId: string;
      readonly sessionKind: "api" | "cookie";
      /** When the password was last entered, in epoch milliseconds. */
      readonly authenticatedAt: number;
      /** Whether the user has not verified the e-mail address yet. */
      readonly hasUnverifiedEmail?: true;
      /** Whether the user lacks a second factor that the organization requires. */
      readonly lacksFactor?: true;
    }
  | {
      readonly type: "api_key";
      readonly keyId: string;
      readonly organizationId: string;
      readonly scopes: readonly string[];
      /** The account that the key is bound to, if any. */
      readonly accountId: string | null;
    };

/** The part of an organization that the caller may see. Every query for a tenant's rows takes a scope. */
export interface Scope {
  readonly organizationId: string;
  /** Only accounts that this user owns, and their data. */
  readonly ownerUserId: string | null;
  /** Only this account and its data. */
  readonly accountId: string | null;
}

/** What the transport knows about one API request. */
export interface CallRequest {
  readonly requestId: string;
  /** The Bearer credential exactly as sent, or null. */
  readonly bearer: string | null;
  /** The dashboard's session cookie. Ignored where a Bearer credential is expected. */
  readonly cookie: string | null;
  /** The device token of a browser that has signed in before; null on the API. */
  readonly device: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly idempotencyKey: string | null;
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
  /** Whether only the headers are wanted (HEAD), so that no body is sent. */
  readonly isHead?: boolean;
  /** When the request arrived, in epoch milliseconds. */
  readonly receivedAt: number;
  /** Fires when the client disconnects or the server drains. */
  readonly signal: AbortSignal;
  /** Filled in during the request, if it has a line in the log. */
  readonly notes?: RequestNotes;
  /** Filled in during the request: headers of the response. */
  readonly answerHeaders: Record<string, string>;
  /** Adds a `Set-Cookie` header to the response. Only pages use cookies. */
  setCookie(cookie: string): void;
}

interface CallContext {
  readonly runtime: Runtime;
  readonly request: CallRequest;
  readonly actor: Actor;
  /**
   * Epoch milliseconds, constant throughout the request: the organization's time in operations that ask for it
   * (`time: "organization"`, `inTimeOf`), elsewhere the real time.
   */
  readonly now: number;
  /** The real time, whichever `now` is: for tokens, limits and jobs. */
  readonly realNow: number;
  id(prefix: IdPrefix): string;
  /** For an anonymous caller, an empty scope. */
  readonly scope: Scope;
}

export interface ReadContext extends CallContext {
  readonly db: Reader;
  /**
   * Whether the same call would still be allowed, with the same scope. Work that runs long after the first check (a
   * download, a long poll) asks at each step: the session may have ended, the role changed, the user been removed.
   */
  stillAllowed(): Promise<boolean>;
}

export interface AuditRecord {
  /** The id of the object that was acted on. */
  target: string | null;
  /** Ids, codes and field names. No personal data, no secrets. */
  detail?: Record<string, unknown>;
  /** Personal values that changed, by field; kept where erasing the subject, such as a user or a customer, empties them. */
  changes?: {
    subject: string;
    values: Readonly<Record<string, readonly [before: string | null, after: string | null]>>;
  };
  /** Set if the actor is not the caller: the user who has just signed in or up. */
  actor?: { type: "user" | "system"; id: string | null };
  organizationId?: string | null;
  /** A refusal. There may be any number, so beyond a limit they are counted instead of written. */
  isRefusal?: boolean;
  /** The message of a line in the security log, for entries that are not refusals. */
  alarm?: string;
}

export interface EventRecord {
  type: string;
  object: string;
  accountId?: string | null;
  organizationId?: string;
  data: Record<string, unknown>;
  /** When it happened, in the organization's time; the real time by default. */
  at?: number;
  /** The object was created in this transaction, so this is its first event. */
  first?: boolean;
}

export interface WriteContext extends CallContext {
  readonly db: Tx;
  /** Writes an audit entry. A write without one does not commit. */
  audit(record: AuditRecord): void;
  /** Emits an event for a change of state, in the same transaction. */
  emit(event: EventRecord): void;
}
