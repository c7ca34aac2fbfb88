// What the card of the amounts says of a payment request whose dispute is open, lost or decided.
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { catalogs } from "@/app/_i18n/catalogs";
import { payment as paid } from "@/server/pipeline/openapi/example-payment";
import { PaymentHeadline } from "./payment-parts";

type Props = Parameters<typeof PaymentHeadline>[0];

function textOf(more: object, locale: "en" | "de" = "en"): string {
  const payment = { ...paid, amount: 1250, currency: "EUR", amount_disputed: 1250, ...more };
  const props = { payment, canPay: true, reader: { locale, timeZone: "UTC", aheadMs: 0 } } as unknown as Props;
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} timeZone="UTC" messages={catalogs[locale]}>
      <PaymentHeadline {...props} />
    </NextIntlClientProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

const lost = { status: "disputed", dispute_status: "lost", amount_lost: 1250 };

it("asks for an answer as long as the dispute is open", () => {
  const text = textOf({ status: "disputed", dispute_status: "open", amount_lost: 0 });
  expect(text).toContain("Answer the dispute at your payment provider");
  expect(text).not.toContain("You lost a dispute");
});

it("asks for a decision once it is lost", () => {
  expect(textOf(lost)).toContain("€12.50 back. Decide: ask the customer for it again, or write it off.");
  expect(textOf(lost)).not.toContain("Answer the dispute");
  expect(textOf(lost, "de")).toMatch(/12,50.€ zurückgeholt\. Entscheiden Sie/);
  const canceled = textOf({ ...lost, status: "canceled", canceled_at: "2026-11-20T12:00:00Z" });
  expect(canceled).toContain("Write it off");
  expect(canceled).not.toContain("ask the customer");
});

it("asks for nothing once that is decided, and says what was asked for again and written off", () => {
  const decided = { ...lost, status: "refunded", amount_lost: 0, amount_reopened: 250, amount_written_off: 1000 };
  const text = textOf({ ...decided, write_off_reason: "Insolvent" });
  expect(text).not.toMatch(/lost a dispute|Answer the dispute/);
  expect(text).toContain("Asked for again €2.50 Written off €10.00 Reason for the write-off Insolvent");
  expect(textOf(decided, "de")).toMatch(/Erneut angefordert 2,50.€ Abgeschrieben 10,00.€/);
  expect(textOf(lost)).not.toMatch(/Asked for again|Written off|Reason/);
});
