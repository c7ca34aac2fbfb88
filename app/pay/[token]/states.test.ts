// The pay page in every state but open: its own heading and text, 200, no form. Viewing it changes nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HEAD } from "@/app/pay/[token]/route";
import { payments, tables, transactions } from "@/db/tables";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { payPageStates } from "@/server/domains/payments/operations/view";
import { runJobs } from "@/test/jobs";
import { appUrl, openPayPages, type PayPages } from "@/test/pay-page";
import { type Journeys, journeysOf } from "@/test/pay-states";
import { goodCard } from "@/test/payer";

let pages: PayPages;
let journeys: Journeys;
beforeAll(async () => {
  pages = await openPayPages({ PAY_FAILURES_PER_IP: "1000" });
  journeys = journeysOf(pages);
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

describe("every state", () => {
  const expected: [(typeof payPageStates)[number], string, string, RegExp][] = [
    ["processing", "Payment in progress", "Zahlung wird bearbeitet", /updates by itself/],
    ["requires_action", "Confirm with your bank", "Zahlung bei Ihrer Bank bestätigen", /not been charged yet/],
    ["paid", "Payment received", "Zahlung erhalten", /has received your payment/],
    ["failed", "Card payments paused", "Kartenzahlung pausiert", /You have not been charged/],
    ["authorized", "Payment authorized", "Betrag reserviert", /will charge it later/],
    ["refunded", "Payment refunded", "Zahlung erstattet", /has refunded your payment/],
    [
      "partially_refunded",
      "Payment partly refunded",
      "Zahlung teilweise erstattet",
      /has refunded €2.50 of your payment/,
    ],
    ["disputed", "Payment disputed", "Zahlung angefochten", /until that is decided/],
    ["expired", "Request expired", "Zahlungsanfrage abgelaufen", /Ask for a new link/],
    ["canceled", "Request canceled", "Zahlungsanfrage storniert", /There is nothing to pay/],
    ["used_up", "All places are taken", "Alle Plätze sind vergeben", /as often as it can be/],
    ["taken", "No place free at the moment", "Im Moment ist kein Platz frei", /open this page again later/],
    ["link_paused", "No payments at the moment", "Im Moment keine Zahlungen", /takes no payments through this page/],
    ["unavailable", "No longer available", "Nicht mehr verfügbar", /can no longer be paid/],
  ];

  it("is tested here", () => {
    expect(expected.map(([name]) => name).sort()).toEqual(payPageStates.filter((name) => name !== "open").sort());
    expect(new Set(expected.map(([, heading]) => heading)).size).toBe(expected.length);
  });

  it.each(expected)("%s: responds 200 with its own heading and text, and no card form", async (name, en, de, text) => {
    const { token } = await journeys[name]();
    const page = await pages.read(token);
    expect(page).toMatchObject({ status: 200, heading: en, text: expect.stringMatching(text) });
    expect(page.title).toMatch(new RegExp(`^${en} · Account `));
    expect(page.text).not.toContain('name="card_number"');
    expect(page.text.match(/<h1>/g)).toHaveLength(1);
    expect(page.text).toContain('role="status"');
    expect((await pages.read(token, "?lang=de")).heading).toBe(de);
  });

  it("links to the receipt exactly when money has been received", async () => {
    const withReceipt = ["paid", "refunded", "partially_refunded", "disputed"];
    for (const name of payPageStates) {
      const { token } = await journeys[name]();
      const hasLink = (await pages.read(token)).text.includes(`/pay/${token}/receipt`);
      expect([name, hasLink]).toEqual([name, withReceipt.includes(name)]);
      pages.world.clock.advance(1000);
    }
  });

  it("reloads itself while in progress, less and less often, until the outcome is known", async () => {
    const { token } = await journeys.processing();
    const refreshOf = async (query: string) => (await pages.get(token, query)).headers.get("refresh") ?? "";
    const delayOf = async (query: string) => Number(/^(\d+); url=\?check=\d+$/.exec(await refreshOf(query))?.[1]);
    expect([
      await delayOf(""),
      await delayOf("?check=3"),
      await delayOf("?check=99"),
      await delayOf("?check=x"),
    ]).toEqual([3, 8, 60, 3]);
    expect(await refreshOf("?lang=de")).toBe("3; url=?check=1&lang=de");
    pages.world.clock.advance(40_000);
    await runJobs(pages.world);
    expect((await pages.read(token)).heading).toBe("Payment received");
  });

  it("says after a partial capture what was paid, and that nothing is due", async () => {
    const { payment, token } = await journeys.authorized();
    const capture = { payment_id: payment.payment_id, amount: 1000 };
    await pages.world.call(capturePayment, pages.acme.member.actor, capture);
    const { heading, text } = await pages.read(token);
    expect(heading).toBe("Payment received");
    expect(text).toContain('<p class="amount">€10.00</p>');
    expect(text).not.toContain("€12.50");
  });

  it("responds 404 with the same page to unknown, malformed and tampered links", async () => {
    const { token } = await pages.newRequest();
    const texts = [];
    for (const unknown of ["x", `${token}1`, token.replace("qtpl_", "qtat_"), `qtpl_${"0".repeat(49)}`, "<script>"]) {
      for (const response of [
        await pages.get(unknown),
        await pages.receipt(unknown),
        await pages.post(unknown, { form_token: "x", ...goodCard }),
      ]) {
        texts.push(`${response.status} ${await response.text()}`);
      }
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^404 /);
  });
});

describe("viewing", () => {
  /** The number of rows of every table, and all payment requests and transactions. */
  async function everything(): Promise<string> {
    const { read } = pages.world.runtime.db;
    const counts: Record<string, number> = {};
    for (const [name, table] of Object.entries(tables)) counts[name] = await read.$count(table);
    const rows = [
      await read.select().from(payments).orderBy(payments.id),
      await read.select().from(transactions).orderBy(transactions.id),
    ];
    return JSON.stringify([counts, rows]);
  }

  it("by GET and HEAD never changes a row, in any state and for any link", async () => {
    const tokens = ["unknown"];
    for (const journey of Object.values(journeys)) tokens.push((await journey()).token);
    pages.world.clock.advance(120_000);
    const before = await everything();
    for (const token of tokens) {
      for (const query of ["", "?check=1", "?problem=number_invalid", "?lang=de"]) {
        await pages.get(token, query);
        await pages.receipt(token, query);
        const request = new Request(`${appUrl}/pay/${token}${query}`, { method: "HEAD" });
        const head = await HEAD(request);
        expect(await head.text()).toBe("");
        expect(head.status).toBe(token === "unknown" ? 404 : 200);
      }
    }
    expect(await everything()).toBe(before);
  });

  it("shows a new form each time, and each of them can pay", async () => {
    const { token } = await pages.newRequest();
    const first = await pages.formOf(token);
    expect(await pages.formOf(token)).not.toBe(first);
    expect((await pages.post(token, { form_token: first, ...goodCard })).headers.get("location")).toBe(`/pay/${token}`);
    expect((await pages.read(token)).heading).toBe("Payment received");
  });
});
