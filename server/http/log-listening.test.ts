// What the log says once the server listens.
import { expect, it } from "vitest";
import { createLogger } from "@/server/process/log";
import { openWorld } from "@/test/world";
import { logListening } from "./log-listening";

it.each([
  ["open", { SIGNUP: "open" }],
  ["invite", { SIGNUP: "invite" }],
  ["closed", { SIGNUP: "closed" }],
  ["open", { APP_URL: "http://localhost:3000", HOST: "127.0.0.1" }],
  ["closed", { APP_URL: "https://pay.example.com" }],
])("names who may sign up: %s with %o", async (signUp, settings) => {
  const world = await openWorld(settings);
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({ logLevel: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  await logListening({ ...world.runtime, log });
  expect(lines).toMatchObject([{ msg: "listening", url: world.runtime.env.appUrl, signUp }]);
  await world.close();
});
