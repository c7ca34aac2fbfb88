// Organizations made by the operator, outside any request: at the first start, and from the command line.
import type { Tx } from "@/db/client";
import { inBackground } from "@/server/domains/records/in-background";
import type { Runtime } from "@/server/process/runtime";
import { type Founded, type Founding, foundOrganization } from "./found-organization";

/**
 * Makes an organization in a transaction of its own, unless `isWanted` (asked inside the transaction) says no or the
 * address is taken: then undefined, and nothing was written. `task` is the operation in the audit trail.
 */
export async function startOrganization(
  runtime: Runtime,
  task: string,
  founding: Founding,
  isWanted: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<Founded | undefined> {
  try {
    return await inBackground(runtime, task, async (ctx) => {
      if (!(await isWanted(ctx.db))) return undefined;
      const founded = await foundOrganization(ctx, founding);
      if (!founded) throw new AddressTaken();
      return founded;
    });
  } catch (error) {
    if (error instanceof AddressTaken) return undefined;
    throw error;
  }
}

/** Undoes the transaction. */
class AddressTaken extends Error {}
