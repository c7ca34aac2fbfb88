// How Vitest runs the soak: one worker per core, which print as they go, and a summary in the end.
import path from "node:path";
import { defineConfig } from "vitest/config";
import { planting } from "../../scripts/soak-flaws.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const workers = Number(process.env.SOAK_WORKERS);
const flaw = process.env.SOAK_FLAW ?? "";

export default defineConfig({
  plugins: flaw === "" ? [] : [planting(flaw)],
  resolve: { alias: { "@": root } },
  test: {
    root,
    setupFiles: ["test/new-process.ts", "test/faulty-provider.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: workers,
    // After a violation the other workers stop.
    bail: 1,
    testTimeout: 0,
    hookTimeout: 60_000,
    env: { NODE_ENV: "test", LOG_LEVEL: "silent", SECRET_KEY: "" },
    disableConsoleIntercept: true,
    reporters: ["./test/soak/summary.ts"],
    projects: Array.from({ length: workers }, (_, i) => ({
      extends: true as const,
      test: { name: `worker ${i + 1}`, include: ["test/soak/soak.ts"], env: { SOAK_WORKER: String(i) } },
    })),
  },
});
