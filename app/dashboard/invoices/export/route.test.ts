// The file of a list of payment requests: what the list shows, for the spreadsheets of the reader's region.
import { afterAll, beforeAll, expect, it } from "vitest";
import { GET as exportRequests } from "@/app/dashboard/payment-requests/export/route";
import { ask } from "@/test/payer";
import { signInByCookie } from "@/test/signing-in";
import { openWorld, serve, type TestOrganization, type World } from "@/test/world";
import { GET } from "./route";

let world: World;
let org: TestOrganization;
let cookie: string;

beforeAll(async () => {
  world = await openWorld();
  serve(world);
  org = await world.organization();
  cookie = await signInByCookie(world, org.admin);
  await ask(world, org.member.actor, { description: "Bread" });
  world.clock.advance(1_000);
  await ask(world, org.member.actor, { type: "invoice", description: "Catering", due_at: "2026-12-31T12:00:00Z" });
});
afterAll(() => world.close());

const linesOf = async (answer: typeof GET, query: string) => {
  const request = new Request(`http://localhost:3000/x?${query}`, { headers: { cookie } });
  // `text()` would drop the byte-order mark.
  return Buffer.from(await (await answer(request)).arrayBuffer())
    .toString()
    .split("\r\n")
    .slice(0, -1);
};

it("of invoices has invoices only, whatever the address says", async () => {
  const query = "columns=customer,amount,due,for&spreadsheet_locale=de-AT";
  for (const more of ["", "&type=product"]) {
    const [head, ...rows] = await linesOf(GET, query + more);
    expect(head).toBe(
      "\u{FEFF}invoice_number;payment_id;issue_date;customer_name;customer_email;net_decimal;tax_decimal;amount_decimal;paid_decimal;refunded_decimal;" +
        "disputed_decimal;due_decimal;currency;due_date;description",
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(
      /^2026-0001;pay_\w+;2026-\d\d-\d\d;;;12,50;0,00;12,50;0,00;0,00;0,00;12,50;EUR;2026-12-31;Catering$/,
    );
  }
});

it("of payment requests has all that the list shows", async () => {
  const [head, ...rows] = await linesOf(exportRequests, "columns=status,for&spreadsheet_locale=en");
  expect(head).toBe("\u{FEFF}payment_id,invoice_number,description,status");
  expect(rows.map((row) => row.split(",").slice(1))).toEqual([
    ["2026-0001", "Catering", "pending"],
    ["", "Bread", "pending"],
  ]);
  expect(await linesOf(exportRequests, "q=bread&columns=for")).toHaveLength(2);
});

it("is refused to a link of another site", async () => {
  const request = new Request("http://localhost:3000/x", { headers: { cookie, "sec-fetch-site": "cross-site" } });
  expect((await GET(request)).status).toBe(403);
});
