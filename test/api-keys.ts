// An organization that has nearly as many API keys as it may.
import { apiKeys } from "@/db/tables";
import { newId } from "@/server/kit/ids";
import type { World } from "./world";

/** Inserts API keys that no secret opens. */
export async function insertApiKeys(world: World, organizationId: string, count: number): Promise<void> {
  const createdAt = world.clock.now();
  const rows = Array.from({ length: count }, () => {
    const id = newId("key", createdAt);
    return { id, organizationId, name: "Filler", hash: id, prefix: "qtsk_", last4: "", scopes: [], createdAt };
  });
  await world.runtime.db.write(async (tx) => {
    await tx.insert(apiKeys).values(rows);
  });
}
