// The language of the pay page: how it is chosen, that it is kept, and how each language formats amounts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { updateOrganizationSettings } from "@/server/domains/onboarding/operations/organization-settings";
import { openPayPages, type PayPages } from "@/test/pay-page";
import { ask, card } from "@/test/payer";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

const langOf = async (token: string, query: string, accept: string) =>
  /<html lang="([^"]+)">/.exec(await (await pages.get(token, query, { "accept-language": accept })).text())?.[1];

describe("the language", () => {
  it("follows ?lang, then the payment request, then the browser, then English", async () => {
    const { token: german } = await pages.newRequest({ locale: "de-AT" });
    const { token: italian } = await pages.newRequest({ locale: "it" });
    const { token: any } = await pages.newRequest();
    expect(await langOf(german, "?lang=en-AU", "de")).toBe("en-AU");
    expect(await langOf(german, "", "en-GB, en;q=0.9")).toBe("de-AT");
    // A language without a catalog is skipped.
    expect(await langOf(italian, "?lang=it", "it, de-CH;q=0.8, en;q=0.7")).toBe("de-CH");
    expect(await langOf(any, "", "en;q=0.5, de")).toBe("de");
    expect(await langOf(any, "?lang=<x>", "")).toBe("en");
  });

  it("follows the account where none of these is set", async () => {
    const user = await pages.world.user(pages.acme.id);
    await pages.world.call(updateAccount, user.actor, { preferences: { locale: "de" } });
    const { token } = await ask(pages.world, user.actor);
    expect(await langOf(token, "", "")).toBe("de");
    expect(await langOf(token, "", "en")).toBe("en");
  });

  it("follows the organization where the account has no language either", async () => {
    const { admin, member } = await pages.world.organization("Bäckerei");
    await pages.world.call(updateOrganizationSettings, admin.actor, { locale: "de", timezone: "Europe/Berlin" });
    const { token } = await ask(pages.world, member.actor, { expires_at: "2026-11-21T12:00:00Z" });
    expect(await langOf(token, "", "")).toBe("de");
    expect((await pages.read(token, "")).text).toMatch(/MEZ|GMT\+1/);
    expect(await langOf(token, "", "en")).toBe("en");
  });

  it("stays on every link and form of the page once chosen, through failures and to the end", async () => {
    const { token } = await pages.newRequest();
    const path = `/pay/${token}`;
    expect((await pages.read(token, "?lang=de")).text).toContain(`action="${path}?lang=de"`);
    const refused = await pages.pay(token, { ...card("1"), expiry: "1" }, "?lang=de");
    const back = refused.headers.get("location") ?? "";
    expect(Object.fromEntries(new URL(back, "https://x.example").searchParams)).toEqual({
      lang: "de",
      problem: "number_invalid,expiry_invalid",
    });
    // Changing the language now keeps the form's problem.
    const { text } = await pages.read(token, back.slice(path.length));
    expect(text).toContain('href="?problem=number_invalid%2Cexpiry_invalid&amp;lang=en"');
    const paid = await pages.pay(token, undefined, "?lang=de");
    expect(paid.headers.get("location")).toBe(`${path}?lang=de`);
    expect((await pages.read(token, "?lang=de")).text).toContain(`href="${path}/receipt?lang=de"`);
    const unpaid = await pages.newRequest();
    const receipt = await (await pages.receipt(unpaid.token, "?lang=de")).text();
    expect(receipt).toContain(`href="/pay/${unpaid.token}?lang=de"`);
  });

  it("is written from right to left in Arabic, with Western digits and the Gregorian calendar", async () => {
    const { token } = await pages.newRequest({ currency: "SAR", amount: 124900, expires_at: "2026-12-20T12:00:00Z" });
    const { text } = await pages.read(token, "?lang=ar-SA");
    expect(text).toContain('<html lang="ar-SA" dir="rtl">');
    expect(text).toContain("1,249.00");
    expect(text).toContain("19 ديسمبر 2026");
    expect((await pages.read(token, "?lang=ja")).text).toContain('<html lang="ja">');
  });

  it("does not change which digits a card number may have", async () => {
    for (const card_number of ["４２４２ ４２４２ ４２４２ ４２４２", "٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢", "۴۲۴۲۴۲۴۲۴۲۴۲۴۲۴۲"]) {
      const { token } = await pages.newRequest();
      await pages.pay(token, { card_number, expiry: "１２ / ３０", security_code: "١٢٣" }, "?lang=ar");
      expect((await pages.read(token, "?lang=en")).text).toContain("Payment received");
    }
  });

  it("can be changed in the footer, where each language has its own name", async () => {
    const { token } = await pages.newRequest();
    const { text } = await pages.read(token, "?lang=en");
    expect(text).toContain('<span aria-current="true">English</span>');
    expect(text).toContain('<a href="?lang=de" lang="de" hreflang="de">Deutsch</a>');
  });
});

describe("amounts", () => {
  it.each([
    ["JPY", 1250, "¥1,250", "1.250 ¥"],
    ["KWD", 1250, "KWD 1.250", "1,250 KWD"],
    ["UYW", 12500, "UYW 1.2500", "1,2500 UYW"],
    ["CLF", 12500, "CLF 1.2500", "1,2500 CLF"],
    ["EUR", 124900, "€1,249.00", "1.249,00 €"],
  ])("in %s have the digits of the currency in both languages", async (currency, amount, en, de) => {
    const { token } = await pages.newRequest({ currency, amount });
    const plain = async (lang: string) =>
      (await pages.read(token, `?lang=${lang}`)).text.replaceAll(/[\u00a0\u202f]/g, " ");
    expect(await plain("en")).toContain(`<button class="button">Pay ${en}</button>`);
    expect(await plain("de")).toContain(`<button class="button">${de} bezahlen</button>`);
  });

  it("are authorized, not paid, where the card is charged later", async () => {
    const { token } = await pages.newRequest({ currency: "EUR", amount: 124900, capture_method: "manual" });
    expect((await pages.read(token, "?lang=en")).text).toContain('<button class="button">Authorize €1,249.00</button>');
    expect((await pages.read(token, "?lang=de")).text).toMatch(/>1\.249,00\s€ autorisieren<\/button>/);
  });

  it("include the currency code where its symbol is ambiguous", async () => {
    const { token } = await pages.newRequest({ currency: "USD", amount: 100 });
    expect((await pages.read(token)).text).toContain('<p class="amount">$1.00 <small>USD</small></p>');
  });
});
