// Our bundle and Next's are two copies of the same modules in one process. Each recognizes the errors that the other's
// objects throw: the database, the rate limiter, the places and turns belong to ours, and Next's copy uses them.
import { createRequire } from "node:module";
import { beforeAll, expect, test, vi } from "vitest";
import { DatabaseUnavailable, isUnavailable } from "@/db/errors";
import { Places } from "@/server/fairness/places";
import { limitRate } from "@/server/fairness/rate";
import type { CallRequest } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import type { Runtime } from "@/server/process/runtime";

const require = createRequire(import.meta.url);

/** The modules of the other copy, packages included. */
async function otherCopy() {
  const name = "rate-limiter-flexible";
  for (const file of Object.keys(require.cache))
    if (file.includes(`/node_modules/${name}/`)) delete require.cache[file];
  vi.doMock(name, () => ({ ...require(name) }));
  vi.resetModules();
  const [database, places, rate] = await Promise.all([
    import("@/db/errors"),
    import("@/server/fairness/places"),
    import("@/server/fairness/rate"),
  ]);
  return { database, places, rate };
}

let other: Awaited<ReturnType<typeof otherCopy>>;
beforeAll(async () => {
  other = await otherCopy();
});

const anonymous = { type: "anonymous" } as const;
const request = { ip: "203.0.113.7", answerHeaders: {} } as CallRequest;

test("a refusal", () => {
  expect(other.places.Places).not.toBe(Places);
  const full = new other.places.Places({ perCaller: 0, inAll: 0 });
  const refused = () => full.takeFor({ actor: anonymous, request }, "downloads");
  expect(refused).toThrow(expect.any(Failure));
  expect(refused).toThrow(expect.objectContaining({ code: "rate_limited", status: 429 }));
  expect(new Error("no refusal")).not.toBeInstanceOf(Failure);
});

test("a caller beyond the rate limit", async () => {
  const runtime = { rate: new other.rate.CallRate(1) } as unknown as Runtime;
  await limitRate(runtime, anonymous, request);
  const refusal = await limitRate(runtime, anonymous, request).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Failure);
  expect(refusal).toMatchObject({ code: "rate_limited", status: 429, headers: { "Retry-After": "60" } });
});

test("an unavailable database", () => {
  const unavailable = new other.database.DatabaseUnavailable(new Error("Another process is writing to the database."));
  expect(unavailable).not.toBeInstanceOf(DatabaseUnavailable);
  expect(isUnavailable(unavailable)).toBe(true);
});
