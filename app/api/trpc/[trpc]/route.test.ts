// Calls from pages: a refused one is recorded in its user's name, so pages of other sites must not be able to cause one,
// and an upload is refused before it costs time.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { auditEntries } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import { signInByCookie } from "@/test/signing-in";
import { openWorld, serve, type TestOrganization, type World } from "@/test/world";
import { GET, POST } from "./route";

let world: World;
let org: TestOrganization;
let cookie: string;

beforeAll(async () => {
  world = await openWorld();
  serve(world);
  org = await world.organization();
  cookie = await signInByCookie(world, org.member);
});
afterAll(() => world.close());

/** Requests what only admins may see; resolves with the status and the refusals recorded by then. */
async function ask(headers: Record<string, string>): Promise<[status: number, refusals: number]> {
  const url = "http://localhost:3000/api/trpc/jobs.dead?input=%7B%7D";
  const { status } = await GET(new Request(url, { headers: { cookie, ...headers } }));
  const refused = and(eq(auditEntries.actorId, org.member.id), eq(auditEntries.operation, "jobs.dead"));
  return [status, await world.runtime.db.read.$count(auditEntries, refused)];
}

it("records the refusal of a query from one of our own pages, not from another site", async () => {
  expect(await ask({ "sec-fetch-site": "cross-site" })).toEqual([403, 0]);
  expect(await ask({ "sec-fetch-site": "same-site" })).toEqual([403, 0]);
  const [, refusals] = await ask({ "sec-fetch-site": "same-origin" });
  expect(refusals).toBe(1);
});

it("refuses an upload that is no image before parsing it", async () => {
  const parse = vi.spyOn(JSON, "parse");
  const headers = { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const body = `{"account_id":"${org.member.accountId}","image":[${"{},".repeat(400_000)}{}]}`;
  const url = "http://localhost:3000/api/trpc/accounts.setLogo";
  const { status } = await POST(new Request(url, { method: "POST", headers, body }));
  const parsed = parse.mock.calls.map(([text]) => text.length);
  parse.mockRestore();
  expect(status).toBe(413);
  expect(Math.max(0, ...parsed)).toBeLessThan(limits.bodyBytes);
});
