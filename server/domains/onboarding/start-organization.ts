// Creates organizations for the operator, outside any request: at the first start and from the command line.
import type { Tx } from "@/db/client";
import { inBackground } from "@/server/domains/records/in-background";
import type { Runtime } from "@/server/process/runtime";
import { type Founded, type Founding, foundOrganization } from "./found-organization";

/**
 * Creates an organization in its own transaction. Returns undefined and writes nothing if `isWanted`, called within the
 * transaction, is false or if the address is taken. `task` is the operation in the audit log.
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

/** Thrown to roll the transaction back. */
class AddressTaken extends Error {}
