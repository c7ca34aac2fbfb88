// The pay page over its exported handlers: what it shows in each state, what it refuses, and that looking changes nothing.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, payments, tables, transactions } from "@/db/tables";
import { cancelPayment } from "@/server/payments/cancel";
import { lostAnswerCode, troubledCard } from "@/server/payments/providers/test-cards";
import { resolveAttempts } from "@/server/payments/resolve";
import { ask, card, formToken, goodCard, paymentRow, payWith, transactionsOf } from "@/server/testing/payer";
import { openWorld, type TestOrganization, type World } from "@/server/testing/world";
import { GET, HEAD, POST } from "./route";

const slot = Symbol.for("quittance.runtime");
let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({
    PAY_FAILURES_PER_IP: "10000",
    PAY_FAILURES_PER_LINK: "3",
    APP_URL: "https://pay.example.com",
  });
  Object.assign(globalThis, { [slot]: Promise.resolve(world.runtime) });
  acme = await world.organization();
});
beforeEach(() => world.clock.advance(1000));
afterAll(() => world.close());

const asked = (more: Parameters<typeof ask>[2] = {}) => ask(world, acme.member.actor, more);
const address = (token: string, query = "") => `https://pay.example.com/pay/${token}${query}`;
const paramsOf = (token: string) => ({ params: Promise.resolve({ token }) });
const get = (token: string, query = "", headers: Record<string, string> = {}) =>
  GET(new Request(address(token, query), { headers }), paramsOf(token));

/** What a browser sends from the page. */
const browser = { "sec-fetch-site": "same-origin", origin: "null" };

function post(
  token: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = browser,
): Promise<Response> {
  const body = typeof fields === "string" ? fields : new URLSearchParams(fields).toString();
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return POST(new Request(address(token), { method: "POST", body, headers: { ...type, ...headers } }), paramsOf(token));
}

/** The token in the form of a page. */
async function formOf(token: string, query = ""): Promise<string> {
  const text = await (await get(token, query)).text();
  return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
}

const headingOf = (text: string): string => /<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? "";
const titleOf = (text: string): string => /<title>([^<]*)<\/title>/.exec(text)?.[1] ?? "";

describe("an open request", () => {
  it("shows who asks, for what, how much, and a form with the amount on its button", async () => {
    const { token } = await asked({
      type: "invoice",
      currency: "EUR",
      amount: 124900,
      description: "Sourdough course",
      reference: `INV-${world.clock.now()}`,
      line_items: [{ name: "Course", quantity: 2, unit_amount: 62450 }],
      due_at: "2026-12-24T12:00:00Z",
    });
    const response = await get(token);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(headingOf(text)).toBe("Sourdough course");
    expect(titleOf(text)).toMatch(/^Invoice · Account /);
    expect(text).toContain('<p class="amount">€1,249.00</p>');
    expect(text).toContain("2 × €624.50");
    expect(text).toContain("Due December 24, 2026");
    expect(text).toContain('<button class="button">Pay €1,249.00</button>');
    for (const label of ["Card number", "Expiry date", "Security code"]) expect(text).toContain(`>${label}</label>`);
    expect(text).toContain("<b>TEST</b>");
    expect(text).not.toContain("<script");
    expect(Buffer.byteLength(text)).toBeLessThan(16_384);
    expect(/<style>([\s\S]*)<\/style>/.exec(text)?.[1]?.length).toBeLessThanOrEqual(6144);
  });

  it("is paid by its form: 303 to the same link, which then says so", async () => {
    const { payment, token } = await asked({ success_url: "https://shop.example.com/thanks" });
    const response = await post(token, { form_token: await formOf(token), ...goodCard });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/pay/${token}`]);
    expect((await paymentRow(world, payment.payment_id)).status).toBe("paid");
    const text = await (await get(token)).text();
    expect(headingOf(text)).toBe("Payment received");
    expect(text).toContain('href="https://shop.example.com/thanks"');
    expect(text).not.toContain("<form");
  });

  it("shows the form again below the reason after a decline, emptied of card data", async () => {
    const { token } = await asked();
    const typed = card("4000000000009995");
    const response = await post(token, { form_token: await formOf(token), ...typed });
    expect(response.headers.get("location")).toBe(`/pay/${token}`);
    const text = await (await get(token)).text();
    expect(text.indexOf("There is not enough money on this card.")).toBeGreaterThan(0);
    expect(text.indexOf('id="card_number"')).toBeGreaterThan(text.indexOf("There is not enough money on this card."));
    expect(text).not.toContain(typed.card_number);
    expect(text).not.toContain('value="12/30"');
  });

  it("does not tell the payer that a card was reported stolen", async () => {
    const { token } = await asked();
    await post(token, { form_token: await formOf(token), ...card("4000000000009979") });
    const text = await (await get(token)).text();
    expect(headingOf(text)).toBe("Payment failed");
    expect(text).not.toMatch(/stolen/i);
  });

  it("names each field that cannot be used, linked to its explanation", async () => {
    const { payment, token } = await asked();
    const typed = { card_number: "4111 1111 1111 1111", expiry: "1/20", security_code: "123" };
    const response = await post(token, { form_token: await formOf(token), ...typed });
    const location = response.headers.get("location") ?? "";
    expect(location).toBe(`/pay/${token}?problem=number_not_test,expiry_past`);
    const text = await (await get(token, "?problem=number_not_test,expiry_past,nonsense")).text();
    expect(text).toContain('<a href="#card_number">Card number</a>');
    expect(text).toContain('aria-describedby="card_number-note" aria-invalid="true"');
    expect(text).toContain("Only test card numbers are accepted here.");
    expect(text).not.toContain("4111");
    expect(text).not.toContain("nonsense");
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
  });

  it("asks for the card again when the form is out of date", async () => {
    const { token } = await asked();
    const response = await post(token, { form_token: "old", ...goodCard });
    expect(response.headers.get("location")).toBe(`/pay/${token}?problem=form_expired`);
    expect(await (await get(token, "?problem=form_expired")).text()).toContain("This page was open for a long time");
  });

  it("answers 429 with the form after too many failures", async () => {
    const { token } = await asked();
    for (let failed = 0; failed < 3; failed++) {
      await post(token, { form_token: await formOf(token), ...card("4000000000000002") });
      world.clock.advance(1000);
    }
    const response = await post(token, { form_token: await formOf(token), ...goodCard });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await response.text()).toContain("There were too many failed attempts.");
  });
});

describe("every state", () => {
  const set = async (id: string, change: Partial<typeof payments.$inferInsert>) =>
    world.runtime.db.write(async (tx) => void (await tx.update(payments).set(change).where(eq(payments.id, id))));

  async function pageOf(token: string) {
    const response = await get(token);
    const text = await response.text();
    return { status: response.status, heading: headingOf(text), title: titleOf(text).split(" · ")[0], text };
  }

  it("has its own heading and title, answers 200, and shows no form", async () => {
    const seen: Record<string, string> = {};
    for (const [status, heading] of [
      ["processing", "Payment in progress"],
      ["paid", "Payment received"],
      ["failed", "Payment failed"],
      ["authorized", "Payment authorized"],
      ["refunded", "Payment refunded"],
      ["partially_refunded", "Payment partly refunded"],
      ["expired", "Request expired"],
      ["canceled", "Request canceled"],
      ["draft", "No longer available"],
    ] as const) {
      const { payment, token } = await asked();
      const wasPaid = /paid|refunded/.test(status);
      await set(payment.payment_id, { status, ...(wasPaid ? { amountPaid: payment.amount } : {}) });
      const page = await pageOf(token);
      expect(page).toMatchObject({ status: 200, heading, title: heading });
      expect(page.text).not.toContain("<form");
      expect(page.text.match(/<h1>/g)).toHaveLength(1);
      expect(page.text).toContain('role="status"');
      seen[status] = heading;
    }
    expect(new Set(Object.values(seen)).size).toBe(9);
  });

  it("loads itself again while in progress, ever more seldom, until the answer is known", async () => {
    const { token } = await asked();
    const lost = { card_number: troubledCard, expiry: "12/30", security_code: lostAnswerCode };
    await post(token, { form_token: await formOf(token), ...lost });
    const delayOf = async (query: string) =>
      Number(/^(\d+); url=\?check=\d+$/.exec((await get(token, query)).headers.get("refresh") ?? "")?.[1]);
    expect([
      await delayOf(""),
      await delayOf("?check=3"),
      await delayOf("?check=99"),
      await delayOf("?check=x"),
    ]).toEqual([3, 8, 60, 3]);
    world.clock.advance(30_000);
    await resolveAttempts(world.runtime);
    expect((await pageOf(token)).heading).toBe("Payment received");
  });

  it("of a closed account says that the request is no longer available", async () => {
    const user = await world.user(acme.id);
    const { token } = await ask(world, user.actor);
    await world.runtime.db.write(
      async (tx) =>
        void (await tx
          .update(accounts)
          .set({ status: "closed", closedAt: world.clock.now() })
          .where(eq(accounts.id, user.accountId))),
    );
    expect(await pageOf(token)).toMatchObject({ status: 200, heading: "No longer available" });
  });

  it("answers 404 with one and the same page for unknown, malformed and tampered links", async () => {
    const { token } = await asked();
    const pages = [];
    for (const unknown of ["x", `${token}1`, token.replace("qtpl_", "qtat_"), `qtpl_${"0".repeat(49)}`, "<script>"]) {
      const response = await get(unknown);
      pages.push(`${response.status} ${await response.text()}`);
      expect(await (await post(unknown, { form_token: "x", ...goodCard })).text()).toBe(pages[0]?.slice(4));
    }
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toMatch(/^404 /);
  });
});

describe("headers", () => {
  it("keep the page out of frames, caches, search engines and Referer, and allow the style by its hash alone", async () => {
    const { token } = await asked();
    for (const response of [await get(token), await get("unknown")]) {
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; img-src data:; form-action 'self'/,
      );
      expect(policy).not.toContain("unsafe");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex, nofollow",
        "x-content-type-options": "nosniff",
      });
    }
  });

  it("hash the style that is sent, the account's colour included", async () => {
    const { createHash } = await import("node:crypto");
    const user = await world.user(acme.id);
    const { token } = await ask(world, user.actor);
    const [row] = await world.runtime.db.read.select().from(accounts).where(eq(accounts.id, user.accountId));
    if (!row) throw new Error("The user has no account.");
    const preferences = { ...row.preferences, branding: { color: "#ffd43b", logo_url: null } };
    await world.runtime.db.write(
      async (tx) => void (await tx.update(accounts).set({ preferences }).where(eq(accounts.id, user.accountId))),
    );
    const response = await get(token);
    const style = /<style>([\s\S]*)<\/style>/.exec(await response.text())?.[1] ?? "";
    expect(style).toContain(":root{--brand:#ffd43b;--on-brand:#000000}");
    const hash = createHash("sha256").update(style).digest("base64");
    expect(response.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
  });
});

describe("forged and broken posts", () => {
  it.each([
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site", origin: "https://pay.example.com" }],
    [{ "sec-fetch-site": "none" }],
    [{ origin: "https://evil.example" }],
  ])("from elsewhere are refused: %o", async (headers) => {
    const { payment, token } = await asked();
    const response = await post(token, { form_token: await formOf(token), ...goodCard }, headers);
    expect(response.status).toBe(403);
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
  });

  it.each([[{}], [{ origin: "null" }], [{ origin: "https://pay.example.com" }], [{ "sec-fetch-site": "same-origin" }]])(
    "from our page are accepted: %o",
    async (headers: Record<string, string>) => {
      const { payment, token } = await asked();
      expect((await post(token, { form_token: await formOf(token), ...goodCard }, headers)).status).toBe(303);
      expect((await paymentRow(world, payment.payment_id)).status).toBe("paid");
    },
  );

  it("of another kind, too long or not UTF-8 are refused", async () => {
    const { payment, token } = await asked();
    const form = await formOf(token);
    const good = new URLSearchParams({ form_token: form, ...goodCard }).toString();
    expect((await post(token, good, { ...browser, "content-type": "application/json" })).status).toBe(415);
    expect((await post(token, good, { ...browser, "content-type": "multipart/form-data; boundary=x" })).status).toBe(
      415,
    );
    expect((await post(token, `${good}&x=${"y".repeat(8192)}`)).status).toBe(413);
    expect((await post(token, "")).headers.get("location")).toContain("problem=form_expired");
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
  });

  it("with a field that is too long change nothing", async () => {
    const { payment, token } = await asked();
    const typed = { ...goodCard, card_number: "4".repeat(4000) };
    expect((await post(token, { form_token: await formOf(token), ...typed })).status).toBe(303);
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
  });
});

describe("texts of the merchant", () => {
  it("are shown as text wherever they stand", async () => {
    const evil = `"><img src=x onerror=alert(1)>'&</title></style>`;
    const { token } = await asked({
      description: evil,
      reference: evil.slice(0, 70),
      amount: 100,
      line_items: [{ name: evil, quantity: 1, unit_amount: 100 }],
    });
    await world.runtime.db.write(
      async (tx) => void (await tx.update(accounts).set({ name: evil }).where(eq(accounts.id, acme.member.accountId))),
    );
    const text = await (await get(token)).text();
    expect(text).not.toContain("<img");
    expect(text).toContain("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;&lt;/title&gt;");
    expect(text.match(/<\/title>/g)).toHaveLength(1);
    expect(text.match(/<\/style>/g)).toHaveLength(1);
  });
});

describe("looking", () => {
  /** The number of rows of every table, and the newest state of what a payment touches. */
  async function everything(): Promise<string> {
    const { read } = world.runtime.db;
    const counts: Record<string, number> = {};
    for (const [name, table] of Object.entries(tables)) counts[name] = await read.$count(table);
    const rows = [
      await read.select().from(payments).orderBy(payments.id),
      await read.select().from(transactions).orderBy(transactions.id),
    ];
    return JSON.stringify([counts, rows]);
  }

  it("by GET and HEAD never changes a row, in any state and for any link", async () => {
    const open = await asked();
    const paid = await asked();
    await payWith(world, paid.token);
    const canceled = await asked();
    await world.call(cancelPayment, acme.member.actor, { payment_id: canceled.payment.payment_id });
    const expired = await asked({ expires_at: new Date(world.clock.now() + 1).toISOString() });
    const lost = await asked();
    await payWith(world, lost.token, { card_number: troubledCard, expiry: "12/30", security_code: lostAnswerCode });
    world.clock.advance(120_000);
    const before = await everything();
    for (const { token } of [open, paid, canceled, expired, lost, { token: "unknown" }]) {
      for (const query of ["", "?check=1", "?problem=number_invalid", "?lang=de"]) {
        await get(token, query);
        const request = new Request(address(token, query), { method: "HEAD" });
        const head = await HEAD(request, paramsOf(token));
        expect(await head.text()).toBe("");
        expect(head.status).toBe(token === "unknown" ? 404 : 200);
      }
    }
    expect(await everything()).toBe(before);
  });

  it("gives a new form each time, and any one of them pays", async () => {
    const { token } = await asked();
    const first = await formOf(token);
    expect(await formOf(token)).not.toBe(first);
    expect(await formToken(world, token)).not.toBe(first);
    expect((await post(token, { form_token: first, ...goodCard })).headers.get("location")).toBe(`/pay/${token}`);
  });
});

describe("language", () => {
  it("follows ?lang, the request, the browser and the account, with amounts and dates to match", async () => {
    const { token } = await asked({ locale: "de" });
    const langOf = async (query: string, accept: string) =>
      /<html lang="([^"]+)">/.exec(await (await get(token, query, { "accept-language": accept })).text())?.[1];
    expect(await langOf("?lang=en-AU", "en-GB")).toBe("en-AU");
    expect(await langOf("", "fr, en-GB;q=0.8, en;q=0.9")).toBe("en");
    expect(await langOf("", "de-AT, en-GB;q=0.5")).toBe("en-GB");
    expect(await langOf("?lang=<x>", "")).toBe("en");
  });
});
