// One subscription: what is charged next, its cycles with their payment requests, card, period and history.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { JsonBlock } from "@/app/_ui/json-block";
import { PageHead } from "@/app/_ui/page-frame";
import { History } from "../../_parts/history";
import classes from "../../payment-requests/[payment_id]/page.module.css";
import { SubscriptionActions } from "../_parts/subscription-actions";
import { SubscriptionCycles } from "../_parts/subscription-cycles";
import { SubscriptionDetails, SubscriptionMetadata } from "../_parts/subscription-details";
import { SubscriptionHeadline } from "../_parts/subscription-headline";
import { readerOf } from "../_parts/subscription-page";
import { listPath, nameOf } from "../_parts/subscription-path";

interface Props {
  params: Promise<{ subscription_id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { subscription, title } = await readerOf((await params).subscription_id);
  return { title: nameOf(subscription.subscription_id, title) };
}

export default async function SubscriptionPage({ params }: Props) {
  const { user, subscription, title } = await readerOf((await params).subscription_id);
  const { subscription_id: id, account_id } = subscription;
  const [t, reader, caller] = await Promise.all([getTranslations("subscriptions"), viewer(), api()]);
  const [{ cycles }, requests, account] = await Promise.all([
    caller.subscriptions.cycles({ subscription_id: id }),
    caller.subscriptions.requests({ subscription_id: id }),
    userMay(user, "accounts.list") ? caller.accounts.get({ account_id }) : null,
  ]);
  const name = nameOf(id, title);
  return (
    <>
      <PageHead
        title={name}
        back={{ href: listPath, label: t("title"), id }}
        action={
          userMay(user, "subscriptions.write") && (
            <SubscriptionActions
              subscription={subscription}
              name={name}
              charged={requests.charged_amount}
              email={title?.customer_email ?? null}
              reader={reader}
            />
          )
        }
      />
      <div className={classes.columns}>
        <div className={classes.column}>
          <SubscriptionHeadline subscription={subscription} isCardRefused={requests.is_card_refused} reader={reader} />
          <SubscriptionCycles subscription={subscription} cycles={cycles} requests={requests.data} reader={reader} />
          <History objectId={id} reader={reader} />
        </div>
        <div className={classes.column}>
          <SubscriptionDetails
            subscription={subscription}
            title={title}
            account={account && { id: account_id, name: account.account_name }}
            reader={reader}
          />
          <SubscriptionMetadata metadata={subscription.metadata} />
        </div>
        <details className={classes.json}>
          <summary>{t("json")}</summary>
          <JsonBlock label={t("json")} value={subscription} />
        </details>
      </div>
    </>
  );
}
