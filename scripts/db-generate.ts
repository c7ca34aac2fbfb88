// npm run db:generate: writes the migrations of both engines from db/schema and db/triggers. CONTRIBUTING.md says how.
import { addMigration, engines, isReleased, isStale, writeInitial, writeSnapshot } from "./generate-migrations";

const usage = () =>
  isReleased()
    ? "A version is released. Usage: npm run db:generate -- name_of_the_change"
    : "No version is released. Usage: npm run db:generate, or with -- --release to make the initial migration final";

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

async function check(): Promise<void> {
  const stale = await Promise.all(engines.map(isStale));
  if (!stale.includes(true)) return;
  console.error("db/migrations is stale: run `npm run db:generate` and commit it.");
  process.exitCode = 1;
}

const [argument, ...others] = process.argv.slice(2);
if (others.length > 0) refuse(usage());
else if (argument === "--check") await check();
else if (isReleased()) {
  if (/^[a-z0-9_]+$/.test(argument ?? "")) for (const engine of engines) await addMigration(engine, argument ?? "");
  else refuse(usage());
} else if (argument === undefined || argument === "--release") {
  for (const engine of engines) await writeInitial(engine);
  if (argument === "--release") for (const engine of engines) await writeSnapshot(engine);
} else refuse(usage());
