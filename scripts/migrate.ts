// npm run migrate: applies missing migrations and exits. The server does the same when it starts.
import { migrateDatabase } from "@/db/migrate";
import { parseEnv } from "@/server/process/env";
import { explainStartupError } from "@/server/process/startup-error";

try {
  await migrateDatabase(parseEnv(process.env).databaseUrl, { report: console.log });
  console.log("The database schema is up to date.");
} catch (error) {
  console.error(explainStartupError(error, null) ?? error);
  process.exitCode = 1;
}
