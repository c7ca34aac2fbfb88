// The pay page against abuse: headers, forged forms, malformed bodies, and texts that look like markup.
import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts } from "@/db/tables";
import { appUrl, browser, openPayPages, type PayPages } from "@/test/pay-page";
import { ask, goodCard, paymentRow, transactionsOf } from "@/test/payer";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

const change = (accountId: string, values: Partial<typeof accounts.$inferInsert>) =>
  pages.world.runtime.db.write(
    async (tx) => void (await tx.update(accounts).set(values).where(eq(accounts.id, accountId))),
  );

const styleOf = (text: string) => /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? "";

describe("headers", () => {
  it("keep the page out of frames, caches, search engines and Referer, and allow only what has a known hash", async () => {
    const { token } = await pages.newRequest();
    await pages.see(token);
    for (const response of [await pages.get(token), await pages.receipt(token), await pages.get("unknown")]) {
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(
        /^default-src 'none'; (script-src 'sha256-[A-Za-z0-9+/=]{44}'; )?style-src 'sha256-[A-Za-z0-9+/=]{44}'; img-src data:; form-action 'self'/,
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

  it("contain the hash of the style as sent, with the account's color", async () => {
    const user = await pages.world.user(pages.acme.id);
    const { token } = await ask(pages.world, user.actor);
    const [row] = await pages.world.runtime.db.read.select().from(accounts).where(eq(accounts.id, user.accountId));
    if (!row) throw new Error("The user has no account.");
    const branding = { color: "#ffd43b", logo_url: null };
    await change(user.accountId, { preferences: { ...row.preferences, branding } });
    const response = await pages.get(token);
    const style = styleOf(await response.text());
    expect(style).toMatch(/:root\{--brand:#ffd43b;--on-brand:#000000;--accent:light-dark\(#\w{6},#ffd43b\)\}$/);
    const hash = createHash("sha256").update(style).digest("base64");
    expect(response.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
  });
});

describe("forged and broken posts", () => {
  it.each([
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site", origin: appUrl }],
    [{ "sec-fetch-site": "none" }],
    [{ origin: "https://evil.example" }],
  ])("from elsewhere are refused: %o", async (headers) => {
    const { payment, token } = await pages.newRequest();
    const response = await pages.post(token, { form_token: await pages.formOf(token), ...goodCard }, headers);
    expect(response.status).toBe(403);
    expect(await transactionsOf(pages.world, payment.payment_id)).toEqual([]);
  });

  it.each([[{}], [{ origin: "null" }], [{ origin: appUrl }], [{ "sec-fetch-site": "same-origin" }]])(
    "from our page are accepted: %o",
    async (headers: Record<string, string>) => {
      const { payment, token } = await pages.newRequest();
      const fields = { form_token: await pages.formOf(token), ...goodCard };
      expect((await pages.post(token, fields, headers)).status).toBe(303);
      expect((await paymentRow(pages.world, payment.payment_id)).status).toBe("paid");
    },
  );

  it("of another media type, too long or not UTF-8 are refused", async () => {
    const { payment, token } = await pages.newRequest();
    const fields = { form_token: await pages.formOf(token), ...goodCard };
    const good = new URLSearchParams(fields).toString();
    const statusOf = async (body: string, type = "application/x-www-form-urlencoded") =>
      (await pages.post(token, body, { ...browser, "content-type": type })).status;
    expect(await statusOf(good, "application/json")).toBe(415);
    expect(await statusOf(good, "multipart/form-data; boundary=x")).toBe(415);
    expect(await statusOf(`${good}&x=${"y".repeat(8192)}`)).toBe(413);
    expect((await pages.post(token, "")).headers.get("location")).toContain("problem=form_expired");
    expect(await transactionsOf(pages.world, payment.payment_id)).toEqual([]);
  });

  it("with a field that is too long change nothing", async () => {
    const { payment, token } = await pages.newRequest();
    expect((await pages.pay(token, { ...goodCard, card_number: "4".repeat(4000) })).status).toBe(303);
    expect(await transactionsOf(pages.world, payment.payment_id)).toEqual([]);
  });
});

describe("texts of the merchant and of the URL", () => {
  it("are escaped everywhere", async () => {
    const evil = `"><img src=x onerror=alert(1)>'&</title></style>`;
    const { token } = await pages.newRequest({
      description: evil,
      reference: evil.slice(0, 70),
      amount: 100,
      line_items: [{ name: evil, quantity: 1, unit_amount: 100 }],
    });
    await change(pages.acme.member.accountId, { name: evil });
    await pages.pay(token);
    for (const response of [await pages.get(token), await pages.receipt(token)]) {
      const text = await response.text();
      expect(text).not.toContain("<img");
      expect(text).toContain("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;&lt;/title&gt;");
      expect(text.match(/<\/title>/g)).toHaveLength(1);
      expect(text.match(/<\/style>/g)).toHaveLength(1);
    }
  });

  it("of the URL appear only if the page knows them", async () => {
    const { token } = await pages.newRequest();
    await pages.see(token);
    const query = `?lang=${encodeURIComponent('de"><script>')}&problem=${encodeURIComponent('"><script>')}`;
    const { text } = await pages.read(token, query);
    expect(text.match(/script>/g)).toEqual(["script>", "script>"]);
    expect(text).not.toContain("%3Cscript");
  });
});
