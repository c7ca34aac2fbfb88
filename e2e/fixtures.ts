// Fixtures of every test over HTTP: a server per Playwright worker, a client, and the first admin's token.
import { test as base } from "playwright/test";
import { type Api, createApi, signIn } from "./api";
import { type Engine, startServer, type TestServer } from "./server";

export type ServerOptions = {
  /** Set by the project in playwright.config.ts. */
  engine: Engine;
  /** A test file that changes the server for others sets its name here, and gets its own worker and server. */
  apart: string;
  /** The host in the server's address; passkeys need a name instead of an IP address. */
  hostname: string;
};

type WorkerFixtures = ServerOptions & {
  /** One server for all tests of a worker. A test that stops or configures a server starts its own. */
  server: TestServer;
  api: Api;
  /** Signs the first admin in again if the last sign-in no longer counts as fresh, and returns the access token. */
  signedInAdmin: () => Promise<string>;
};

type TestFixtures = {
  /** An access token of the first admin, whose sign-in is fresh. */
  adminToken: string;
};

const startTimeoutMs = 60_000;

/** A test begins with a sign-in of at most this age, which is half of what counts as fresh. */
const signInMs = 5 * 60_000;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  engine: ["sqlite", { scope: "worker", option: true }],
  apart: ["", { scope: "worker", option: true }],
  hostname: ["127.0.0.1", { scope: "worker", option: true }],
  server: [
    async ({ engine, hostname }, use) => {
      const server = await startServer({ engine, hostname });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: startTimeoutMs },
  ],
  api: [({ server }, use) => use(createApi(server.url)), { scope: "worker" }],
  signedInAdmin: [
    async ({ api }, use) => {
      let last = { token: "", at: 0 };
      await use(async () => {
        if (Date.now() - last.at > signInMs) last = { token: (await signIn(api)).access_token, at: Date.now() };
        return last.token;
      });
    },
    { scope: "worker" },
  ],
  adminToken: async ({ signedInAdmin }, use) => use(await signedInAdmin()),
  baseURL: ({ server }, use) => use(server.url),
});

export const expect = base.expect;
