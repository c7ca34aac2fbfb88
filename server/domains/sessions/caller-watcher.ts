// Notifies waiting calls when their session or API key ends or the role of their user changes, whichever process did it.
import type { Reader } from "@/db/client";
import { findLiveKeyIds } from "@/server/domains/api-keys/store";
import type { Actor } from "@/server/kit/context";
import { apiKeyOf, userOf } from "@/server/kit/identity";
import { watching } from "@/server/kit/watcher";
import type { Runtime } from "@/server/process/runtime";
import { findActiveRoles } from "./store";

interface Rights {
  /** The session or the API key. */
  id: string;
  role: string;
}

const watch = watching(async (q: Reader, ids: readonly string[]): Promise<Rights[]> => {
  const named = (prefix: string) => ids.filter((id) => id.startsWith(prefix));
  const [keys, sessions] = [named("key_"), named("ses_")];
  const live = keys.length === 0 ? [] : await findLiveKeyIds(q, keys);
  const active = sessions.length === 0 ? [] : await findActiveRoles(q, sessions);
  return [...active, ...live.map((id) => rightsOfKey(id))];
});

const rightsOfKey = (id: string): Rights => ({ id, role: "" });

/**
 * Announces the end or another role of the caller in this process, until `unwatch` is called. `id` is what is
 * announced; null for an anonymous caller, who has nothing to lose.
 */
export function watchCaller(runtime: Runtime, actor: Actor): { id: string | null; unwatch(): void } {
  const rights = rightsOf(actor);
  if (rights === null) return { id: null, unwatch: () => undefined };
  return { id: rights.id, unwatch: watch(runtime, rights, (row) => (row ? `as ${row.role}` : "ended")) };
}

function rightsOf(actor: Actor): Rights | null {
  const user = userOf(actor);
  if (user) return { id: user.sessionId, role: user.role };
  const key = apiKeyOf(actor);
  return key && rightsOfKey(key.keyId);
}
