// kill -9 before the last changes that a backup or a restore makes to files: those that decide.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type KillGround, openKillGround } from "@/test/killed-backups";

/** One process after the other, each a second or so on a busy machine. */
const timeout = 300_000;

let ground: KillGround;
beforeAll(async () => {
  ground = await openKillGround();
}, timeout);
afterAll(() => ground.close());

it(
  "a killed restore leaves the database or the backup in place, whole, and the next start finishes it",
  async () => {
    const { kills, done } = await ground.killRestores(12);
    expect(kills).toBe(12);
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
