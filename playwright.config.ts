// Tests over HTTP against the production build: browser flows, HTTP itself, and the contract on both engines.
import { defineConfig } from "playwright/test";
import type { ServerOptions } from "./e2e/fixtures";
import { requireNode } from "./scripts/setup/node.mjs";

requireNode();

/**
 * Turns off Chromium's own traffic, which fails without network access and is retried many times a second, and
 * optimizing compilers, which cost more than they save: no page lives longer than a few seconds.
 */
const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--js-flags=--no-opt --no-maglev",
];

export default defineConfig<object, ServerOptions>({
  outputDir: "test-results",
  forbidOnly: true,
  fullyParallel: false,
  // One more than the cores of a small machine: the contract tests often wait, for example until a token expires.
  workers: 3,
  retries: 0,
  timeout: 90_000,
  // Far more than any page takes: a machine may be several times slower for a while. Only a hang reaches it.
  expect: { timeout: 20_000 },
  // On a slow machine, all files together took half an hour.
  globalTimeout: 60 * 60_000,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["dot"], ["json"]] : [["list"]],
  use: {
    launchOptions: {
      args: chromiumArguments,
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    },
    // Recording a trace costs a fifth of the time. For one of a failed test: npx playwright test <file> --trace on
    screenshot: "only-on-failure",
  },
  // Files run in this order. Those that take longest start first: started last, one would leave the other workers idle.
  projects: [
    { name: "flows", testDir: "e2e/flows", workers: 2, use: { engine: "sqlite", browserName: "chromium" } },
    // Features of one engine are tested in files named after it.
    {
      name: "contract-postgres",
      testDir: "e2e/contract",
      testIgnore: "**/*.sqlite.spec.ts",
      use: { engine: "postgres" },
    },
    {
      name: "contract-sqlite",
      testDir: "e2e/contract",
      testIgnore: "**/*.postgres.spec.ts",
      use: { engine: "sqlite" },
    },
    // What does not depend on the engine runs once: unit tests show on both that the operations behave alike. The folder
    // says which it is. What stays on both may find a difference only when the whole server runs: concurrent requests,
    // long polling, crashes, restarts, paging under writes, streams, and the core operations.
    { name: "http", testDir: "e2e/http", use: { engine: "sqlite" } },
  ],
});
