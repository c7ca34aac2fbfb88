// Unit and property tests: one suite, run once on each engine (`--project sqlite`, `--project postgres`).
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

/** The suite on one engine. db/dialect.ts reads DATABASE_URL when modules load, so it is set for the whole project. */
function engine(name: "sqlite" | "postgres", databaseUrl: string) {
  return {
    extends: true as const,
    test: {
      name,
      env: { TEST_ENGINE: name, DATABASE_URL: databaseUrl, SECRET_KEY: "" },
      // What only one engine can do is tested in files that carry its name.
      exclude: [...configDefaults.exclude, `**/*.${name === "sqlite" ? "postgres" : "sqlite"}.test.ts`],
    },
  };
}

export default defineConfig({
  resolve: { alias: { "@": root.replace(/\/$/, "") } },
  test: {
    include: ["server/**/*.test.ts", "db/**/*.test.ts", "scripts/**/*.test.ts", "app/**/*.test.{ts,tsx}"],
    environment: "node",
    pool: "forks",
    // A core for every file at work; the default leaves one idle, and of two that is half the machine.
    maxWorkers: "100%",
    testTimeout: 20_000,
    hookTimeout: 60_000,
    env: { NODE_ENV: "test", LOG_LEVEL: "silent" },
    projects: [
      engine("sqlite", "file::memory:"),
      engine("postgres", process.env.TEST_DATABASE_URL_PG ?? "postgres://127.0.0.1:5432/postgres"),
    ],
  },
});
