// Which of the two engines this process speaks: decided once, from DATABASE_URL, when modules load.
import { existsSync } from "node:fs";

// A script may be the first module of its process, so the .env file is read here; variables that are already set win.
if (process.env.DATABASE_URL === undefined && existsSync(".env")) process.loadEnvFile(".env");

export type Dialect = "sqlite" | "postgres";

export const dialect: Dialect = /^postgres(ql)?:\/\//.test(process.env.DATABASE_URL ?? "") ? "postgres" : "sqlite";
