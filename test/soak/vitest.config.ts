// How Vitest runs the soak: one file, which prints as it goes, and no report of its own.
import path from "node:path";
import { defineConfig } from "vitest/config";

const root = path.resolve(import.meta.dirname, "../..");

export default defineConfig({
  resolve: { alias: { "@": root } },
  test: {
    root,
    include: ["test/soak/soak.ts"],
    setupFiles: ["test/new-process.ts"],
    environment: "node",
    pool: "forks",
    testTimeout: 0,
    hookTimeout: 60_000,
    env: { NODE_ENV: "test", LOG_LEVEL: "silent", SECRET_KEY: "" },
    disableConsoleIntercept: true,
    reporters: [{}],
  },
});
