// The clock of a sandbox organization as callers see it.
import * as z from "zod";
import type { ClockRow } from "@/server/domains/organizations/clock-store";
import { isLive } from "@/server/domains/organizations/organization";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { protocolFailure } from "@/server/kit/errors";
import { timestamp } from "@/server/kit/fields";
import { iso } from "@/server/process/clock";

export const clock = z
  .strictObject({
    now: timestamp.meta({ description: "The time of the organization." }),
    offset_ms: z.int().meta({ description: "How far it is ahead of real time, in milliseconds." }),
    running: z
      .boolean()
      .meta({ description: "Whether acts that an advance has made due are still being carried out." }),
  })
  .meta({ id: "SandboxClock" });

/** The clock at the real time `realNow`, in epoch milliseconds. */
export const presentClock = (row: ClockRow | undefined, realNow: number): z.input<typeof clock> => {
  const offset = row?.offsetMs ?? 0;
  return { now: iso(realNow + offset), offset_ms: offset, running: row?.isRunning ?? false };
};

/** Refuses in a live organization, whose time is real. */
export async function assertSandbox({ db, scope }: Pick<ReadContext | WriteContext, "db" | "scope">): Promise<void> {
  if (await isLive(db, scope.organizationId)) throw protocolFailure("unknown_path");
}
