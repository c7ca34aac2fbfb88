// kill -9 before each of the last file changes of a backup or a restore, which decide what is in place afterwards.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type KillGround, openKillGround } from "@/test/killed-backups";

/** Many processes run one after the other; on a busy machine each takes a second or more. */
const timeout = 300_000;

let ground: KillGround;
beforeAll(async () => {
  ground = await openKillGround();
}, timeout);
afterAll(() => ground.close());

it(
  "a killed restore leaves the database or the backup in place, whole, and the next start finishes it",
  async () => {
    const { kills, done } = await ground.killRestores(15);
    expect(kills).toBe(15);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(kills);
  },
  timeout,
);

it(
  "a killed backup leaves no backup that is not whole",
  async () => expect(await ground.killBackups(4)).toMatchObject({ kills: 4 }),
  timeout,
);
