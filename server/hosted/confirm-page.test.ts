// A payer of a reusable link who types far more than is suggested: the page asks once more, without a script.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { askMany } from "@/test/link-payer";
import { browser, openPayPages, type PayPages } from "@/test/pay-page";
import { goodCard, type RequestFields } from "@/test/payer";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages({ LINK_USES_PER_IP: "10000" });
});
afterAll(() => pages.world.close());

const ask = (fields: RequestFields = {}) => askMany(pages.world, pages.acme.member.actor, fields);

/** The hidden and visible values of the form in a page. */
function valuesIn(text: string): Record<string, string> {
  const inputs = [...text.matchAll(/<input [^>]*>/g)].map(([tag]) => tag);
  const of = (tag: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return Object.fromEntries(inputs.map((tag) => [of(tag, "name"), of(tag, "value")]));
}

const payer = { email: "grace@example.com", name: "Grace Hopper" };

async function send(token: string, typed: Record<string, string>, text?: string) {
  const shown = text ?? (await pages.read(token)).text;
  const response = await pages.post(token, { ...valuesIn(shown), ...payer, ...goodCard, ...typed }, browser);
  return { status: response.status, location: response.headers.get("location"), text: await response.text() };
}

async function usesOf(parent_payment_id: string) {
  const { data } = await pages.world.call(listPaymentRequests, pages.acme.admin.actor, { parent_payment_id });
  return data;
}

describe("an amount of more than ten times the suggested one", () => {
  const custom = {
    ...{ amount: undefined, usage_limit: null },
    custom_amount: { minimum: 100, maximum: 20_000_000, suggested: 3000 },
  };
  const typed = { own_amount: "350" };

  it("is shown once more, and charged by the form that confirms it", async () => {
    const { payment, token } = await ask(custom);
    const asked = await send(token, typed);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('<p class="amount">€350.00</p>');
    expect(asked.text).toContain("more than ten times the suggested €30.00. You have not been charged.");
    expect(asked.text).toContain('<button class="button">Pay €350.00</button>');
    expect(valuesIn(asked.text)).toMatchObject({ ...payer, ...typed, card_number: "", expiry: "", security_code: "" });
    expect(await usesOf(payment.payment_id)).toEqual([]);
    expect((await send(token, typed, asked.text)).status).toBe(303);
    expect(await usesOf(payment.payment_id)).toMatchObject([{ amount: 35_000, status: "paid", customer: payer }]);
  });

  it("is asked for in each language, with its headline", async () => {
    const { token } = await ask(custom);
    for (const [lang, title] of [
      ["de", "Bitte prüfen Sie den Betrag"],
      ["fr", "Vérifiez le montant"],
      ["es", "Compruebe el importe"],
      ["ja", "金額をご確認ください"],
      ["ar", "يُرجى مراجعة المبلغ"],
    ]) {
      const query = `?lang=${lang}`;
      const fields = { ...valuesIn((await pages.read(token, query)).text), ...payer, ...goodCard, ...typed };
      const text = await (await pages.post(token, fields, browser, query)).text();
      expect(text).toContain(`<h2>${title}</h2>`);
      expect(text).toContain('name="confirmed" value="35000"');
    }
  });

  it.each([
    ["another amount", { own_amount: "3500" }],
    ["an amount that is no number", { confirmed: "yes" }],
  ])("is not confirmed by a form with %s", async (_, changed) => {
    const { payment, token } = await ask(custom);
    const asked = await send(token, typed);
    expect((await send(token, changed, asked.text)).text).toContain("You have not been charged");
    expect(await usesOf(payment.payment_id)).toEqual([]);
  });

  it("stays confirmed while only the card is wrong", async () => {
    const { payment, token } = await ask(custom);
    const asked = await send(token, typed);
    const wrong = await send(token, { card_number: "1" }, asked.text);
    expect(wrong.text).toContain("Please check your card details");
    expect(wrong.text).toContain('<p class="amount">€350.00</p>');
    expect((await send(token, {}, wrong.text)).status).toBe(303);
    expect(await usesOf(payment.payment_id)).toMatchObject([{ amount: 35_000 }]);
  });

  it("can be changed, with all that was typed but the card", async () => {
    const { payment, token } = await ask(custom);
    const asked = await send(token, typed);
    const { text } = await send(token, { act: "change" }, asked.text);
    expect(valuesIn(text)).toMatchObject({ ...payer, ...typed, card_number: "" });
    expect(text).not.toContain('name="confirmed"');
    expect((await send(token, { own_amount: "35" }, text)).status).toBe(303);
    expect(await usesOf(payment.payment_id)).toMatchObject([{ amount: 3500 }]);
  });

  it("is not asked for because of an address", async () => {
    const { token } = await ask(custom);
    const { text } = await pages.read(token, "?problem=amount_unconfirmed");
    expect(text).not.toContain('name="confirmed"');
    expect(text).not.toContain('role="alert"');
  });

  it("is asked for only once the other fields are right", async () => {
    const { token } = await ask(custom);
    const { text } = await send(token, { ...typed, email: "grace" });
    expect(text).toContain("Enter an e-mail address such as");
    expect(text).not.toContain('name="confirmed"');
  });

  it.each([
    ["ten times as much", custom, "300"],
    ["nothing is suggested", { ...custom, custom_amount: { minimum: 100, maximum: 20_000_000 } }, "350"],
  ])("is charged at once where %s", async (_, fields, own_amount) => {
    const { token } = await ask(fields);
    expect((await send(token, { own_amount })).status).toBe(303);
  });
});
