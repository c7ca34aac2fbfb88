// Removing a user while another call has locked one of their invitations, with PostgreSQL's row locks: no deadlock.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { lock } from "@/db/lock";
import { apiKeys, invitations } from "@/db/tables";
import { createInvitation } from "@/server/domains/invitations/operations/create";
import { removeUserOf } from "@/test/closing";
import { deadlocksIn } from "@/test/deadlocks";
import { apiKey, newEmail, newPerson } from "@/test/people";
import { anotherProcess, openWorld } from "@/test/world";

it("a removal locks the user's invitations before their API keys", async () => {
  const world = await openWorld();
  const { id, admin } = await world.organization();
  const { userId, accountId, actor } = await newPerson(world, admin.actor, "admin");
  const key = await apiKey(world, id, ["accounts:read"], { accountId, createdBy: userId });
  const given = { email: newEmail(), role: "member" } as const;
  const { invitation_id } = await world.call(createInvitation, actor, given);
  const [first, second] = [await anotherProcess(world), await anotherProcess(world)];
  const { removal } = await first.runtime.db.write(async (tx) => {
    await lock(tx, invitations, [invitation_id]);
    const removal = removeUserOf(second, admin.actor, userId);
    // Long enough for the removal to wait for the invitation.
    await sleep(500);
    await lock(tx, apiKeys, [key.id]);
    return { removal };
  });
  expect(await removal).toMatchObject({ removed: true });
  await first.close();
  await second.close();
  expect(await deadlocksIn(world)).toBe(0);
  await world.close();
});
