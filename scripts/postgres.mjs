// npm run postgres: starts a PostgreSQL server for single tests, prints its address, and runs until Ctrl+C.
import { startPostgres } from "./setup/postgres.mjs";

const server = await startPostgres();
console.log(`TEST_DATABASE_URL_PG=${server.url}`);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.stop().then(() => process.exit(0)));
