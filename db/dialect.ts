// Which engine this process uses: decided once from DATABASE_URL, when modules load.
import { existsSync } from "node:fs";

// A script may load this module first, so the .env file is read here. Variables that are already set win.
if (process.env.DATABASE_URL === undefined && existsSync(".env")) process.loadEnvFile(".env");

type Dialect = "sqlite" | "postgres";

export const dialect: Dialect = /^postgres(ql)?:\/\//.test(process.env.DATABASE_URL ?? "") ? "postgres" : "sqlite";
