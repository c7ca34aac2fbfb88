// The newest subscriptions of a customer.
import { getTranslations } from "next-intl/server";
import type { Viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { limits } from "@/server/kit/limits";
import rows from "../../payment-requests/_parts/payment-transactions.module.css";
import { listPath, subscriptionPath } from "../../subscriptions/_parts/subscription-path";
import { Price } from "../../subscriptions/_parts/subscription-texts";

/** Renders nothing for a customer without subscriptions. */
export async function CustomerSubscriptions({ customerId, reader }: { customerId: string; reader: Viewer }) {
  const [t, caller] = await Promise.all([getTranslations("subscriptions"), api()]);
  const found = await caller.subscriptions.list({ customer_id: customerId, limit: limits.customerActivity.shown });
  if (found.data.length === 0) return null;
  const ids = found.data.map((row) => row.subscription_id);
  const { data: titles } = await caller.subscriptions.titles({ subscription_ids: ids });
  const all = (
    <ButtonLink href={`${listPath}?customer_id=${customerId}`} variant="outline">
      {t("all")}
    </ButtonLink>
  );
  return (
    <Card title={t("title")} action={found.has_more && all}>
      <ul className={rows.list}>
        {found.data.map((row) => {
          const title = titles.find(({ subscription_id: id }) => id === row.subscription_id);
          return (
            <li key={row.subscription_id} className={rows.row}>
              <span className={rows.what}>
                <Link href={subscriptionPath(row.subscription_id)} className={rows.link}>
                  {title?.description ?? t("one")}
                </Link>
                <span className={rows.how}>
                  <Instant at={row.created_at} {...reader} />
                </span>
              </span>
              <StatusBadge status={row.status} />
              <span className={rows.amount}>
                <Price subscription={row} locale={reader.locale} />
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
