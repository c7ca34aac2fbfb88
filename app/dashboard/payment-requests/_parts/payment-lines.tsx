// The line items of a payment request, and how they add up: the subtotal, the tax of each rate, the total.

import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Viewer } from "@/app/_i18n/viewer";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { netOf, subtotalOf, taxesOf } from "@/server/domains/payments/line-sums";
import { namesCategory } from "@/server/domains/payments/tax-category";
import { formatQuantity, pieces } from "@/server/kit/units";
import classes from "./payment-lines.module.css";
import type { Payment } from "./payment-parts";

type Line = Payment["line_items"][number];

interface Props {
  payment: Payment;
  reader: Viewer;
}

export function PaymentLines({ payment, reader }: Props) {
  const t = useTranslations("payment");
  const format = useFormatter();
  const { line_items: lines, currency } = payment;
  if (lines.length === 0) return null;
  const hasDiscount = lines.some(({ discount_amount }) => discount_amount);
  const hasTax = lines.some(({ tax_rate_bp }) => tax_rate_bp);
  const money = (amount: number) => <Money amount={amount} currency={currency} locale={reader.locale} />;
  const rateOf = ({ tax_rate_bp }: Line) => tax_rate_bp && format.number(tax_rate_bp / 10_000, percent);
  const quantityOf = ({ quantity, unit }: Line) => formatQuantity(quantity, unit ?? pieces, reader.locale);
  const discountOf = ({ discount_amount }: Line) => discount_amount && money(-discount_amount);
  return (
    <Card title={t("lines")}>
      <div className={classes.place}>
        <table aria-label={t("lines")} className={classes.lines}>
          <thead>
            <tr>
              <th scope="col">{t("line")}</th>
              <th scope="col">{t("quantity")}</th>
              <th scope="col">{t("unitPrice")}</th>
              {hasDiscount && <th scope="col">{t("discount")}</th>}
              {hasTax && <th scope="col">{t("tax")}</th>}
              <th scope="col">{hasTax ? t("lineNet") : t("lineAmount")}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: line items never change, and two may be equal.
              <tr key={index}>
                <th scope="row">
                  {line.name}
                  <Exemption line={line} />
                  <span className={classes.details}>
                    <span>
                      {quantityOf(line)} × {money(line.unit_amount)}
                    </span>
                    {line.discount_amount ? (
                      <span>
                        {t("discount")} {discountOf(line)}
                      </span>
                    ) : null}
                    {line.tax_rate_bp ? (
                      <span>
                        {t("tax")} {rateOf(line)}
                      </span>
                    ) : null}
                  </span>
                </th>
                <td>{quantityOf(line)}</td>
                <td>{money(line.unit_amount)}</td>
                {hasDiscount && <td>{discountOf(line) || ""}</td>}
                {hasTax && <td>{rateOf(line) || ""}</td>}
                <td>{money(Number(netOf(line)))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Sums payment={payment} money={money} />
    </Card>
  );
}

/** Why a line is not taxed. */
function Exemption({ line: { tax_category: category, tax_exemption_reason: reason } }: { line: Line }) {
  const t = useTranslations("newPayment.taxCategories");
  if (category === null || category === "S" || category === "Z") return null;
  const words = namesCategory(reason, t(category)) ? [reason] : [t(category), reason];
  return <span className={classes.exemption}>{words.filter(Boolean).join(": ")}</span>;
}

function Sums({ payment, money }: { payment: Payment; money: (amount: number) => ReactNode }) {
  const t = useTranslations("payment");
  const format = useFormatter();
  const taxes = taxesOf(payment.line_items);
  return (
    <dl className={classes.sums}>
      {taxes.length > 0 && (
        <div>
          <dt>{t("subtotal")}</dt>
          <dd>{money(Number(subtotalOf(payment.line_items)))}</dd>
        </div>
      )}
      {taxes.map(({ rate, net, tax }) => (
        <div key={rate}>
          <dt>{t.rich("taxOn", { rate: format.number(rate / 10_000, percent), base: () => money(Number(net)) })}</dt>
          <dd>{money(Number(tax))}</dd>
        </div>
      ))}
      <div>
        <dt>{t("total")}</dt>
        <dd>{payment.amount !== null && money(payment.amount)}</dd>
      </div>
    </dl>
  );
}

const percent = { style: "percent", maximumFractionDigits: 2 } as const;
