// A process that starts without the database's own server key is stopped before it signs anything.
import { afterAll, beforeAll, expect, it } from "vitest";
import { updateUser } from "@/server/domains/onboarding/operations/update-user";
import { writeSeals } from "@/server/domains/records/seals";
import { openWorld, type World } from "@/test/world";
import { expectOwnKey } from "./own-key";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("an unsigned database accepts any key, a signed one only its own", async () => {
  const { db, keys } = world.runtime;
  const current = { id: "0badcafe", key: Buffer.alloc(32, 9) };
  const other = { current, all: [current] };
  await expectOwnKey({ db, keys: other });
  const { admin, member } = await world.organization();
  await world.call(updateUser, admin.actor, { user_id: member.id, role: "viewer" });
  expect(await writeSeals(world.runtime)).toBeGreaterThan(0);
  await expectOwnKey({ db, keys });
  await expectOwnKey({ db, keys: { ...other, retired: keys.all } });
  await expectOwnKey({ db, keys: { ...other, lost: keys.all.map(({ id }) => id) } });
  await expect(expectOwnKey({ db, keys: other })).rejects.toThrow(
    `SECRET_KEY: the database was last signed with the key ${keys.current.id}, which is neither here`,
  );
});
