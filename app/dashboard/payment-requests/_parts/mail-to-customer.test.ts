// The mail that shares a pay link: its language, and its encoding.
import { expect, it } from "vitest";
import { mailToCustomer } from "./mail-to-customer";

type Payment = Parameters<typeof mailToCustomer>[0];
type Account = Parameters<typeof mailToCustomer>[2];

const request = { customer: null, description: null, amount_due: 12_550, currency: "EUR", locale: null };
const url = "https://pay.example.com/pay/x";

function mailOf(of: Partial<Payment>, locale: string | null, known: { locale: string } | null = null) {
  const account = { account_name: "Bäckerei & Café", preferences: { locale } } as Account;
  const address = mailToCustomer({ ...request, ...of } as Payment, url, account, known);
  const [to = "", query = ""] = address.slice("mailto:".length).split("?");
  expect(query).not.toMatch(/[+\s]/);
  const { subject, body } = Object.fromEntries(new URLSearchParams(query));
  return { to: decodeURIComponent(to), subject, body };
}

it("is in the language of the payment request, else of the customer, of the account, else in English", () => {
  expect(mailOf({}, "ja").subject).toBe("Bäckerei & Café requests €125.50");
  expect(mailOf({}, "de-AT").subject).toMatch(/^Bäckerei & Café: Zahlungsanfrage über €\s125,50$/);
  expect(mailOf({ locale: "en" }, "de").body).toBe(
    `You can see the details and pay €125.50 to Bäckerei & Café here:\r\n${url}`,
  );
  expect(mailOf({}, "en", { locale: "de" }).subject).toMatch(/Zahlungsanfrage/);
  expect(mailOf({ locale: "de" }, null).body).toContain("an Bäckerei & Café bezahlen:");
});

it("names the customer's address and the reason", () => {
  const customer = { name: null, email: "ada+cake@example.com" } as Payment["customer"];
  const { to, body } = mailOf({ customer, description: "1 + 1 cakes?" }, null);
  expect(to).toBe("ada+cake@example.com");
  expect(body?.split("\r\n").slice(0, 2)).toEqual(["1 + 1 cakes?", ""]);
});
