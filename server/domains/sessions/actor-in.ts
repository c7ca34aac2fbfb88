// Reads a caller again within a transaction, by the session or the API key that the credential belonged to.
import type { Tx } from "@/db/client";
import { lackedFactor } from "@/server/access/factor";
import { isKeyLive } from "@/server/domains/api-keys/store";
import type { Actor } from "@/server/kit/context";
import { idOf, organizationOf, userOf } from "@/server/kit/identity";
import { sessionKeeper } from "./lucia";
import { findSession } from "./store";

/**
 * The authenticated caller with the role that its user has now; null once the session or the API key has ended. `now`
 * in epoch ms.
 */
export async function actorIn(tx: Tx, actor: Actor, now: number): Promise<Actor | null> {
  const user = userOf(actor);
  if (user === null) {
    const isLive = await isKeyLive(tx, organizationOf(actor) ?? "", idOf(actor) ?? "", now);
    return isLive ? actor : null;
  }
  const found = await findSession(tx, user.organizationId, user.sessionId);
  if (!found || (await sessionKeeper.stateOf(found, now)) !== "live") return null;
  return { ...user, role: found.user.role, ...lackedFactor(found.requireMfa, found.user) };
}
