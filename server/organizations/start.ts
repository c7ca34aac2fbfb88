// Organizations made by the operator, outside any request: at the first start, and from the command line.
import type { Tx } from "@/db/client";
import { newId } from "../kit/ids";
import type { Runtime } from "../kit/runtime";
import { Records } from "../records";
import { type Founded, type Founding, foundOrganization } from "./found";

/**
 * Makes an organization in a transaction of its own, with audit entry and events, unless `isWanted` (asked inside the
 * transaction) says no or the address is taken: then undefined, and nothing was written.
 */
export async function startOrganization(
  runtime: Runtime,
  operation: string,
  founding: Founding,
  isWanted: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<Founded | undefined> {
  const now = runtime.clock.now();
  const request = { requestId: newId("req", now), ip: null };
  try {
    return await runtime.db.write(async (tx) => {
      if (!(await isWanted(tx))) return undefined;
      const records = new Records({ operation, actor: { type: "anonymous" }, request, now });
      const { audit, emit } = records;
      const founded = await foundOrganization(
        { db: tx, now, id: (prefix) => newId(prefix, now), audit, emit },
        founding,
      );
      if (!founded) throw new AddressTaken();
      await records.write(tx);
      return founded;
    });
  } catch (error) {
    if (error instanceof AddressTaken) return undefined;
    throw error;
  }
}

/** Undoes the transaction. */
class AddressTaken extends Error {}
