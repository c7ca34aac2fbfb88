// Shared by the pay page flows: payment requests, and a payer who fills in the form.
import type { Page } from "playwright/test";
import type { Api } from "../api";
import { expect } from "../fixtures";

interface Request {
  payment_id: string;
  payment_url: string;
}

/** Creates a payment request for €1,249.00. */
export async function ask(api: Api, token: string, more: object = {}): Promise<Request> {
  const body = { type: "invoice", amount: 124900, currency: "EUR", description: "Sourdough course", ...more };
  const reply = await api<Request>("POST", "/v1/payments", { token, body });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

export async function statusOf(api: Api, token: string, { payment_id }: Request): Promise<unknown> {
  return (await api("GET", `/v1/payments/${payment_id}/status`, { token })).body.status;
}

/** The sandbox's cards by behavior. */
export const cards = {
  good: "4242 4242 4242 4242",
  noFunds: "4000 0000 0000 9995",
  challenged: "4000 0027 6000 3184",
  troubled: "4000 0000 0000 0119",
  declinedLater: "4000 0000 0000 0341",
};

/** Types a card into the English form. */
export async function fill(page: Page, number: string, expiry = "12 / 34", code = "123"): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry date").fill(expiry);
  await page.getByLabel("Security code").fill(code);
}

/** The button of the form. */
export const payButton = (page: Page) => page.getByRole("button", { name: "Pay €1,249.00", exact: true });

/** The same button where the card is charged later. */
export const authorizeButton = (page: Page) => page.getByRole("button", { name: "Authorize €1,249.00", exact: true });

/** Opens the link and pays with this card. */
export async function payWith(
  page: Page,
  request: Request,
  number: string,
  code = "123",
  button = payButton,
): Promise<void> {
  await page.goto(request.payment_url);
  await fill(page, number, "12 / 34", code);
  await button(page).click();
}

/** Uses up the attempts of a payment request, which then takes no card for a time. */
export async function declineUntilPaused(page: Page, request: Request): Promise<void> {
  for (let attempt = 1; attempt <= 10; attempt++) {
    // Load the next page only after this attempt is answered. The page also posts that it was seen.
    const answered = page.waitForResponse((response) => {
      const posted = response.request();
      return posted.method() === "POST" && posted.isNavigationRequest();
    });
    await payWith(page, request, cards.noFunds);
    await answered;
  }
}

export const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
