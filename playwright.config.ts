// Tests over HTTP against the production build: browser flows, HTTP itself, and the contract on both engines.
import { defineConfig } from "playwright/test";
import type { ServerOptions } from "./e2e/fixtures";

/** A closed network makes Chromium's own traffic fail, many times a second; none of it is wanted anyway. */
const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig<object, ServerOptions>({
  outputDir: "test-results",
  forbidOnly: true,
  fullyParallel: false,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  globalTimeout: 30 * 60_000,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["dot"], ["json"]] : [["list"]],
  use: {
    launchOptions: {
      args: CHROMIUM_ARGUMENTS,
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    },
    // Recording a trace costs a fifth of the time. For one of a failed test: npx playwright test <file> --trace on
    screenshot: "only-on-failure",
  },
  // Files are handed out in this order. The flows are the long ones: started last, one would keep a worker waiting.
  projects: [
    { name: "flows", testDir: "e2e/flows", use: { engine: "sqlite", browserName: "chromium" } },
    // What is decided before the database is asked is the same on both engines, and tested once.
    { name: "http", testDir: "e2e/http", use: { engine: "sqlite" } },
    // What only one engine can do is tested in files that carry its name.
    {
      name: "contract-sqlite",
      testDir: "e2e/contract",
      testIgnore: "**/*.postgres.spec.ts",
      use: { engine: "sqlite" },
    },
    { name: "contract-postgres", testDir: "e2e/contract", use: { engine: "postgres" } },
  ],
});
