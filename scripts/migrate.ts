// npm run migrate: brings the database to the newest schema and ends; the server does the same when it starts.
import { migrateDatabase } from "@/db/migrate";
import { parseEnv } from "@/server/process/env";
import { explainStartupError } from "@/server/process/startup-error";

try {
  await migrateDatabase(parseEnv(process.env).databaseUrl);
  console.log("The database has the newest schema.");
} catch (error) {
  console.error(explainStartupError(error, null) ?? error);
  process.exitCode = 1;
}
