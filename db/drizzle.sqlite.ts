// Tells the migration generator where the SQLite tables are and where to write migrations.
import { defineConfig } from "drizzle-kit";

export default defineConfig({ dialect: "sqlite", schema: "./db/schema/sqlite.ts", out: "./db/migrations/sqlite" });
