// Whether this process has the database's own server key. It must know before it signs or derives anything.
import { expectCheckpointKey } from "@/server/domains/ledger/checkpoint";
import { expectSealKey } from "@/server/domains/records/seals";
import type { Runtime } from "@/server/process/runtime";

/** Throws with a readable reason if the ledger or the audit log was last signed with a key that we do not have. */
export async function expectOwnKey(runtime: Pick<Runtime, "db" | "keys">): Promise<void> {
  await expectCheckpointKey(runtime);
  await expectSealKey(runtime);
}
