// How a transaction's page names the payment request that it counts towards.
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { catalogs } from "@/app/_i18n/catalogs";
import { TransactionLinks } from "./transaction-links";

type Props = Parameters<typeof TransactionLinks>[0];

const linkText = (description: string | null) => {
  const refunds = { data: [], has_more: false, next_cursor: null, total_count: 0 };
  const context = { request: { payment_id: "pay_1", description }, parent: null, refunds };
  const props = { transaction: { transaction_id: "txn_1" }, context, reader: { locale: "en", timeZone: "UTC" } };
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={catalogs.en}>
      <TransactionLinks {...(props as unknown as Props)} />
    </NextIntlClientProvider>,
  );
  return /<a [^>]*href="\/dashboard\/payment-requests\/pay_1"[^>]*>(.*?)<\/a>/.exec(html)?.[1];
};

it("names it by its description, or else by what it is", () => {
  expect(linkText("Wedding cake")).toBe("Wedding cake");
  expect(linkText(null)).toBe("Payment request");
});
