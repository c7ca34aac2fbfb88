// An export leaves an audit entry in the user's name, so pages of other sites must not be able to start one.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditEntries } from "@/db/tables";
import { signInByCookie } from "@/test/signing-in";
import { openWorld, serve, type TestOrganization, type World } from "@/test/world";
import { GET, HEAD } from "./route";

let world: World;
let org: TestOrganization;
let cookie: string;

beforeAll(async () => {
  world = await openWorld();
  serve(world);
  org = await world.organization();
  cookie = await signInByCookie(world, org.admin);
});
afterAll(() => world.close());

const asking = (headers: Record<string, string>, method = "GET") =>
  new Request("http://localhost:3000/dashboard/transactions/export", { method, headers: { cookie, ...headers } });
const ask = (headers: Record<string, string>) => GET(asking(headers));
const exportsOnRecord = () =>
  world.runtime.db.read
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.organizationId, org.id), eq(auditEntries.operation, "transactions.export")));

it.each(["cross-site", "same-site"])("is refused to a %s link, and nothing is recorded", async (site) => {
  const answer = await ask({ "sec-fetch-site": site });
  expect([answer.status, (await answer.json()).error_code]).toEqual([403, "insufficient_permissions"]);
  expect(await exportsOnRecord()).toEqual([]);
});

it.each<Record<string, string>>([{ "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }, {}])(
  "is answered for %j",
  async (headers) => {
    const before = await exportsOnRecord();
    const answer = await ask(headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="transactions-[\w-]+\.csv"$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.text()).toContain("transaction_id");
    expect(await exportsOnRecord()).toHaveLength(before.length + 1);
  },
);

it("leaves no entry for the HEAD request that the page sends first", async () => {
  const before = await exportsOnRecord();
  expect((await HEAD(asking({ "sec-fetch-site": "same-origin" }, "HEAD"))).status).toBe(200);
  expect(await exportsOnRecord()).toEqual(before);
  expect(world.runtime.downloads.count).toBe(0);
});
