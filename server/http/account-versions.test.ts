// Versions of an account over HTTP: ETag, 304, If-Match, and the query fields of closing.
import { afterAll, beforeAll, expect, it } from "vitest";
import { newNotes } from "@/server/kit/request-notes";
import { newPerson, type Person } from "@/test/people";
import { openWorld, type World } from "@/test/world";
import { answer } from "./rest";

let world: World;
let person: Person;
beforeAll(async () => {
  world = await openWorld();
  const org = await world.organization();
  person = await newPerson(world, org.admin.actor);
});
afterAll(() => world.close());

async function* bytesOf(body: object) {
  yield new TextEncoder().encode(JSON.stringify(body));
}

function send(method: string, url: string, headers: Record<string, string> = {}, body?: object) {
  const sent = new Headers({
    authorization: `Bearer ${person.accessToken}`,
    "content-type": "application/json",
    ...headers,
  });
  const { signal } = new AbortController();
  const payload = body ? bytesOf(body) : null;
  const request = { method, url, headers: sent, body: payload, peerAddress: "203.0.113.7", signal, notes: newNotes() };
  return answer(request, world.runtime);
}

it("answers 304 for the current version, and refuses a change based on another", async () => {
  const path = `/v1/accounts/${person.accountId}`;
  const first = await send("GET", path);
  const tag = first.headers.ETag ?? "";
  expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  expect(await send("GET", path, { "if-none-match": tag })).toMatchObject({ status: 304, body: null });

  const changed = await send("PATCH", "/v1/accounts", { "if-match": tag }, { account_name: "Changed" });
  expect(changed.status).toBe(200);
  expect(changed.headers.ETag).not.toBe(tag);
  expect((await send("GET", path, { "if-none-match": tag })).headers.ETag).toBe(changed.headers.ETag);
  const late = await send("PATCH", "/v1/accounts", { "if-match": tag }, { account_name: "Late" });
  expect([late.status, JSON.parse(late.body ?? "")]).toEqual([
    400,
    { error_code: "version_conflict", error_description: expect.any(String) },
  ]);
});

it("takes the fields of closing from the query, because some proxies drop a DELETE body", async () => {
  const closed = await send("DELETE", `/v1/auth/close?account_id=${person.accountId}&reason=moving`);
  expect([closed.status, JSON.parse(closed.body ?? "")]).toEqual([200, expect.objectContaining({ status: "closed" })]);
  expect((await send("GET", `/v1/accounts/${person.accountId}`)).status).toBe(401);
});
