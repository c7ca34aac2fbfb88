// /.well-known/security.txt: what it says with a contact, and that there is none without.
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { surfaceOf } from "@/server/http/surfaces";
import { dayMs } from "@/server/kit/limits";
import { askHosted } from "@/test/hosted";
import { openWorld, type World } from "@/test/world";

const path = "/.well-known/security.txt";

let world: World;
beforeAll(async () => {
  world = await openWorld({ SECURITY_CONTACT: "security@example.com", APP_URL: "https://pay.example.com" });
});
afterAll(() => world.close());

it("names the contact, when it expires, the languages and its own address", async () => {
  expect(surfaceOf({ url: path } as IncomingMessage)).toBe("hosted");
  const { status, headers, body } = await askHosted(world, "GET", path);
  expect([status, headers["Content-Type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  const [contact, expires = "", ...rest] = (body ?? "").split("\n");
  expect(contact).toBe("Contact: mailto:security@example.com");
  expect(rest).toEqual(["Preferred-Languages: en, de", `Canonical: https://pay.example.com${path}`, ""]);
  expect(expires).toMatch(/^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/);
  const left = Date.parse(expires.slice("Expires: ".length)) - world.clock.now();
  expect(left).toBeGreaterThan(80 * dayMs);
  expect(left).toBeLessThan(365 * dayMs);
});

it("never expires while the server runs", async () => {
  const expiry = async () => (await askHosted(world, "GET", path)).body?.split("\n")[1];
  const before = await expiry();
  world.clock.advance(dayMs);
  expect(await expiry()).not.toBe(before);
});

it("takes no form", async () => {
  expect((await askHosted(world, "POST", path)).status).toBe(405);
});

it("is not there without a contact", async () => {
  const silent = await openWorld();
  expect((await askHosted(silent, "GET", path)).status).toBe(404);
  await silent.close();
});
