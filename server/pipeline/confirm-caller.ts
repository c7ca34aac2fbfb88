// Confirms the caller of a write that is privileged or concerns others within its transaction, because rights may have
// changed since it began.
import { isDeepStrictEqual } from "node:util";
import type { Tx } from "@/db/client";
import { checkFactor } from "@/server/access/factor";
import { isPrivileged, mayCall, refusalText } from "@/server/access/may";
import { scopeOf } from "@/server/access/scope";
import { lockOrganization } from "@/server/domains/organizations/organization";
import type { Actor, Scope } from "@/server/kit/context";
import { protocolFailure } from "@/server/kit/errors";
import { isAnonymous } from "@/server/kit/identity";
import type { AccessRule, Fail, Operation } from "@/server/kit/operation";

interface Call {
  /** The row that the call's input requires. */
  readonly rule: AccessRule;
  readonly operation: Pick<Operation, "concernsOthers">;
  readonly input: unknown;
  readonly base: { readonly actor: Actor; readonly scope: Scope; readonly now: number };
  /** The caller as the transaction sees it at `now`; null once its session or API key has ended. */
  actorIn(tx: Tx, now: number): Promise<Actor | null>;
  readonly fail: Fail<"insufficient_permissions">;
}

/**
 * Lets such writes of an organization take turns, and refuses the caller if it has lost its session, its API key
 * or its role since, or lacks a second factor that is now required. So no such write commits after its caller was
 * removed or demoted, and concurrent changes to the admins see each other.
 */
export async function confirmCaller(call: Call, tx: Tx): Promise<void> {
  const { rule, base, operation, input } = call;
  if (isAnonymous(base.actor)) return;
  if (!isPrivileged(rule) && operation.concernsOthers?.(input, base.actor) !== true) return;
  await lockOrganization(tx, base.actor.organizationId);
  const actor = await call.actorIn(tx, base.now);
  if (actor === null) throw protocolFailure("unauthorized", undefined, { "WWW-Authenticate": "Bearer" });
  checkFactor(rule, actor);
  const isSame = mayCall(rule, actor) && isDeepStrictEqual(scopeOf(actor), base.scope);
  if (!isSame) call.fail("insufficient_permissions", refusalText(rule, actor));
}
