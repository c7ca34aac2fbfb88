// The file of an account's ledger entries: the days of the reader's calendar that the form sends, in either format.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { ask } from "@/test/payer";
import { signInByCookie } from "@/test/signing-in";
import { openWorld, serve, type TestOrganization, type World } from "@/test/world";
import { GET } from "./route";

vi.mock("@/app/_i18n/viewer", () => ({ viewer: async () => ({ locale: "de", timeZone: "Europe/Berlin" }) }));

let world: World;
let acme: TestOrganization;
let cookie: string;

const start = Date.parse("2026-12-31T22:59:59Z");

beforeAll(async () => {
  world = await openWorld();
  serve(world);
  acme = await world.organization();
  world.clock.advance(start - world.clock.now());
  // The last second of the year in Berlin, and the first one of the next.
  for (const amount of [1250, 700]) {
    const { payment } = await ask(world, acme.member.actor, { amount });
    await world.call(markPaid, acme.member.actor, { payment_id: payment.payment_id } as never);
    world.clock.advance(1_000);
  }
  world.clock.advance(86_400_000);
  cookie = await signInByCookie(world, acme.member);
});
afterAll(() => world.close());

const fetched = (query: string, accountId = acme.member.accountId, more: Record<string, string> = {}) =>
  GET(new Request(`http://localhost:3000/x?${query}`, { headers: { cookie, ...more } }), {
    params: Promise.resolve({ account_id: accountId }),
  });

/** The lines of the file. `text()` would drop the byte-order mark. */
const linesOf = async (answer: Response) =>
  Buffer.from(await answer.arrayBuffer())
    .toString()
    .split(/\r?\n/)
    .slice(0, -1);

it("has the entries of the first day up to the last one, for the spreadsheets of the reader's region", async () => {
  const answer = await fetched("booked_from=2026-12-01&booked_to=2026-12-31&format=csv");
  expect([answer.status, answer.headers.get("period-final")]).toEqual([200, "true"]);
  const [head = "", ...rows] = await linesOf(answer);
  expect(head.startsWith("\u{FEFF}posting_id;")).toBe(true);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain(";12,50;12,50;");
  const next = await linesOf(await fetched("booked_from=2027-01-01&booked_to=2027-01-01&format=csv"));
  expect(next[1]).toContain(";7,00;19,50;");
  expect(next).toHaveLength(2);
});

it("has everything without days, also as lines of JSON", async () => {
  const answer = await fetched("booked_from=&booked_to=&format=ndjson");
  const rows = (await linesOf(answer)).map((line) => JSON.parse(line));
  expect(rows.map((row) => [row.account_id, row.signed_amount])).toEqual([
    [acme.member.accountId, 1250],
    [acme.member.accountId, 700],
  ]);
  expect(answer.headers.get("content-disposition")).toContain("ledger-entries-unfinished-");
});

it("refuses what is no day, another's account and a link of another site", async () => {
  expect((await fetched("booked_from=soon&format=csv")).status).toBe(400);
  const other = await world.organization();
  expect((await fetched("format=csv", other.member.accountId)).status).toBe(400);
  expect((await fetched("format=csv", undefined, { "sec-fetch-site": "cross-site" })).status).toBe(403);
});
