// Notices to a user and to the admins, written at the same time, lock their counters in one order.
import { expect, it } from "vitest";
import { inBackground } from "@/server/domains/records/in-background";
import { notifyAdmins, notifyUser } from "@/server/domains/users/notices";
import { readUser } from "@/server/domains/users/store";
import { deadlocksIn } from "@/test/deadlocks";
import { anotherProcess, openWorld } from "@/test/world";

it("a notice to the newest admin and notices to all of them do not deadlock", async () => {
  const world = await openWorld();
  const org = await world.organization();
  const newest = await world.user(org.id, "admin");
  const process = await anotherProcess(world);
  const write = (isAboutNewest: boolean) =>
    inBackground(process.runtime, "test", async (ctx) => {
      const user = await readUser(ctx.db, newest.id);
      if (isAboutNewest && user) await notifyUser(ctx, user, { notice: "second_factor_changed" });
      await notifyAdmins(ctx, org.id, { notice: "second_factors_removed", subject: "Ada" });
    });
  for (let round = 0; round < 8; round++) await Promise.all([true, false, true, false].map(write));
  await process.close();
  expect(await deadlocksIn(world)).toBe(0);
  await world.close();
});
