// The credit of a customer: by currency, and the payments whose surplus it was, which can be refunded.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import classes from "./customer-credit.module.css";
import type { Customer } from "./customer-path";

interface Props {
  credit: Customer["credit"];
  sources: Outputs["customers"]["activity"]["credits"];
  reader: Viewer;
}

/** Renders nothing for a customer without credit. */
export function CustomerCredit({ credit, sources, reader }: Props) {
  const t = useTranslations("customers.credit");
  if (credit.length === 0) return null;
  const { locale } = reader;
  return (
    <Card title={t("title")}>
      <ul className={classes.sums}>
        {credit.map(({ currency, amount }) => (
          <li key={currency}>
            <Money amount={amount} currency={currency} locale={locale} />
          </li>
        ))}
      </ul>
      <p className={classes.use}>{t("use")}</p>
      <ul className={classes.sources}>
        {sources.map((source) => (
          <li key={source.transaction_id} className={classes.source}>
            <span className={classes.what}>
              <Link href={`/dashboard/transactions/${source.transaction_id}`} className={classes.link}>
                {t("source")}
              </Link>
              <span className={classes.at}>
                <Instant at={source.created_at} {...reader} />
              </span>
            </span>
            <span>
              {t.rich("left", {
                left: () => <Money amount={source.amount_left} currency={source.currency} locale={locale} />,
                amount: () => <Money amount={source.amount} currency={source.currency} locale={locale} />,
              })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
