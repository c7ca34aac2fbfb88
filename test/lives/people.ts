// The people of a life: owners, who call with sessions, and an admin, who takes over the accounts of removed owners.
import { eq } from "drizzle-orm";
import type * as z from "zod";
import { sessions } from "@/db/tables";
import { inBackground } from "@/server/domains/records/in-background";
import { openApiSession } from "@/server/domains/sessions/open";
import { invalidateSession } from "@/server/domains/sessions/operations/invalidate";
import type { Actor, CallRequest } from "@/server/kit/context";
import type { Operation } from "@/server/kit/operation";
import { closeAccountOf, removeUserOf } from "../closing";
import { bearer, callWith } from "../signing-in";
import type { TestOrganization, World } from "../world";
import type { Action } from "./calls";
import type { Facts } from "./facts";
import { isLive, isOpen } from "./questions";

export interface Caller {
  /** Null for the admin, who may act for every account. */
  userId: string | null;
  /** The session that identifies the caller; null for the admin, whom the tests vouch for. */
  sessionId: string | null;
  call<I extends z.ZodType, O extends z.ZodType>(
    world: World,
    operation: Operation<I, O>,
    input: z.input<I>,
    request?: Partial<CallRequest>,
  ): Promise<z.output<O>>;
}

interface Session {
  sessionId: string;
  accessToken: string;
}

const once = { times: 1, key: "none", fault: null } as const;

export class People {
  /** The latest session of each owner. */
  private readonly sessions = new Map<string, Session>();

  constructor(
    private readonly world: World,
    private readonly acme: TestOrganization,
  ) {}

  /** The admin, who has just signed in. */
  get admin(): Actor {
    const { actor } = this.acme.admin;
    return actor.type === "user" ? { ...actor, authenticatedAt: this.world.clock.now() } : actor;
  }

  private get asAdmin(): Caller {
    const { admin } = this;
    return {
      userId: null,
      sessionId: null,
      call: (world, operation, input, request) => world.call(operation, admin, input, request),
    };
  }

  /** The account's owner, signed in, or the admin if the owner has been removed. */
  async callerFor(accountId: string, facts: Facts): Promise<Caller> {
    const userId = facts.accounts.find(({ id }) => id === accountId)?.ownerUserId ?? null;
    const session = userId === null ? null : await this.sessionOf(userId, facts);
    if (!session) return this.asAdmin;
    const { sessionId, accessToken } = session;
    return {
      userId,
      sessionId,
      call: (world, operation, input, request) =>
        callWith(world, operation, { ...bearer(accessToken), ...request }, input),
    };
  }

  /** The owner's session. If the last one has ended, he or she signs in again. Null for a removed user. */
  private async sessionOf(userId: string, facts: Facts): Promise<Session | null> {
    const user = facts.users.find(({ id }) => id === userId);
    if (user?.status !== "active") return null;
    const known = this.sessions.get(userId);
    if (known && isLive(facts, known.sessionId)) return known;
    const opened = await inBackground(this.world.runtime, "test.sign_in", async (ctx) => {
      ctx.audit({ target: userId });
      const pair = await openApiSession(ctx, user, { deviceId: null, clientVersion: null });
      // Recording its use would be a transaction of its own, which no step of a life expects.
      await ctx.db.update(sessions).set({ lastSeenAt: Number.MAX_SAFE_INTEGER }).where(eq(sessions.id, pair.sessionId));
      return pair;
    });
    this.sessions.set(userId, opened);
    return opened;
  }

  /** Ends an owner's session, by the owner or by the admin. */
  async endSession(accountId: string, by: "owner" | "admin", facts: Facts): Promise<Action[]> {
    const owner = await this.callerFor(accountId, facts);
    const { sessionId } = owner;
    if (sessionId === null) return [];
    const caller = by === "owner" ? owner : this.asAdmin;
    return [
      {
        ...once,
        name: "end session",
        sessionId: caller.sessionId,
        call: (world) => caller.call(world, invalidateSession, by === "owner" ? {} : { session_id: sessionId }),
        isAllowed: (now) => isLive(now, sessionId),
      },
    ];
  }

  /** Removes an account's owner. */
  removeOwner(accountId: string, facts: Facts): Action[] {
    const userId = facts.accounts.find(({ id }) => id === accountId)?.ownerUserId ?? null;
    if (userId === null) return [];
    return [
      {
        ...once,
        name: "remove user",
        call: (world) => removeUserOf(world, this.admin, userId),
        isAllowed: (now) => now.users.some(({ id, status }) => id === userId && status === "active"),
      },
    ];
  }

  close(accountId: string): Action {
    return {
      ...once,
      name: "close",
      call: (world) => closeAccountOf(world, this.admin, accountId),
      isAllowed: (now) => isOpen(now, accountId),
    };
  }
}
