// Where the migration generator finds the sqlite tables and puts what it makes.
import { defineConfig } from "drizzle-kit";

export default defineConfig({ dialect: "sqlite", schema: "./db/schema/sqlite.ts", out: "./db/migrations/sqlite" });
