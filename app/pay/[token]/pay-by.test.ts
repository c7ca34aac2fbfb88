// The day until which a payer is asked to pay: the mail and the page that it leads to name the same one.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mails } from "@/db/tables";
import { sendPayment } from "@/server/domains/payments/operations/send";
import { openPayPages, type PayPages } from "@/test/pay-page";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages({ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "pay@example.com" });
});
afterAll(() => pages.world.close());

it.each([
  ["the last whole day before a late expiry", "2026-12-28T19:44:00Z", "December 27, 2026"],
  ["the day of an expiry that is near", "2026-11-21T19:44:00Z", "November 21, 2026"],
])("is %s", async (_, expires_at, day) => {
  const { world, acme } = pages;
  world.clock.advance(Math.max(0, Date.parse("2026-11-20T12:00:00Z") - world.clock.now()));
  const customer = { email: "grace@example.com" };
  const { payment, token } = await pages.newRequest({ expires_at, customer, locale: "en-US" });
  const { payment_id } = payment;
  await world.call(sendPayment, acme.member.actor, { payment_id });
  const [mail] = await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, payment_id));
  expect(mail?.text).toContain(`Pay by: ${day}`);
  expect((await pages.read(token)).text).toContain(`Pay by ${day}`);
});
