// kill -9 before the changes that a backup or a restore makes to files, and what must then be true. SQLite only.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { damageOf } from "@/db/copy-sqlite";
import { migrateDatabase } from "@/db/migrate";
import { connectSqlite, sqlitePath } from "@/db/sqlite";
import { createTestDatabase } from "./database";
import { buildCommandLine, killAtSteps, type Scene, stepsOf } from "./killed-commands";
import { rowsIn } from "./sqlite-rows";

interface Kills {
  kills: number;
  /** The number of kills that came after the command's work was done: the new database in place, or a backup made. */
  done: number;
}

/** Databases to try this on, and the command line. */
export async function openKillGround() {
  const cli = await buildCommandLine();
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-killed-"));
  const backup = path.join(folder, "backup.db");
  const present = path.join(folder, "present.db");
  await makeDatabases({ present, backup });
  let count = 0;
  /** A folder of its own with the present database. */
  const place = () => {
    const own = path.join(folder, String(++count));
    mkdirSync(own);
    const file = path.join(own, "test.db");
    for (const suffix of suffixes) copyFileSync(`${present}${suffix}`, `${file}${suffix}`);
    const SECRET_KEY = Buffer.alloc(32, 7).toString("base64");
    return { file, env: { DATABASE_URL: `file:${file}`, DATA_DIR: own, SECRET_KEY, BACKUP_DIR: "" } };
  };
  /** Kills before the `last` changes, or before all. */
  async function kill(makeScene: () => Scene, last: number): Promise<number> {
    const steps = await stepsOf(cli, makeScene());
    const kills = Math.min(last, steps);
    await killAtSteps(cli, makeScene, { from: steps - kills + 1, to: steps });
    return kills;
  }
  return {
    /** Throws unless, after each kill, the database or the backup is in place, whole, and nothing is lost. */
    async killRestores(last = Number.POSITIVE_INFINITY): Promise<Kills> {
      const outcomes: boolean[] = [];
      const kills = await kill(() => {
        const { file, env } = place();
        return { args: ["restore", backup], env, check: async () => void outcomes.push(await isRestored(file)) };
      }, last);
      if (outcomes.lastIndexOf(false) > outcomes.indexOf(true) && outcomes.includes(true)) {
        throw new Error(`A later kill undid the restore: ${outcomes.join(", ")}.`);
      }
      return { kills, done: outcomes.filter(Boolean).length };
    },
    /** Throws unless, after each kill, every file that looks like a backup is whole, and the database too. */
    async killBackups(last = Number.POSITIVE_INFINITY): Promise<Kills> {
      const outcomes: number[] = [];
      const kills = await kill(() => {
        const { file, env } = place();
        const target = path.join(path.dirname(file), "backups");
        return { args: ["backup", target], env, check: async () => void outcomes.push(await madeIn(target, file)) };
      }, last);
      return { kills, done: outcomes.filter((made) => made > 0).length };
    },
    close() {
      cli.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type KillGround = Awaited<ReturnType<typeof openKillGround>>;

const suffixes = ["", "-wal", "-shm"];

/**
 * Makes a database whose newest row is only in its log, as a killed server leaves it, and a backup without that row.
 */
async function makeDatabases({ present, backup }: { present: string; backup: string }): Promise<void> {
  const database = await createTestDatabase({ migrated: true });
  const file = sqlitePath(database.url);
  copyFileSync(file, backup);
  const connection = connectSqlite(file);
  connection.exec("insert into nonces (name, value) values ('late', 'in the log')");
  for (const suffix of suffixes) copyFileSync(`${file}${suffix}`, `${present}${suffix}`);
  connection.close();
  await database.drop();
}

const isPresent = (file: string) => rowsIn(file, "select * from nonces where name = 'late'").length === 1;

/** Does what the next start does. Resolves to whether the backup is in place, with the replaced database beside it. */
async function isRestored(file: string): Promise<boolean> {
  await migrateDatabase(`file:${file}`);
  expectWhole(file);
  const kept = readdirSync(path.dirname(file)).filter((name) => /-replaced-\w+$/.test(name));
  if (isPresent(file)) {
    if (kept.length > 0) throw new Error("The database in place also has another name.");
    return false;
  }
  const [name = ""] = kept;
  if (kept.length !== 1 || !isPresent(path.join(path.dirname(file), name))) throw new Error("The old one is lost.");
  return true;
}

/** How many backups there are. */
async function madeIn(folder: string, file: string): Promise<number> {
  const made = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".db")) : [];
  for (const name of made) expectWhole(path.join(folder, name));
  expectWhole(file);
  if (!isPresent(file)) throw new Error("The database has changed.");
  return made.length;
}

function expectWhole(file: string): void {
  const damage = damageOf(file);
  if (damage !== null) throw new Error(`${file}: ${damage}`);
}
