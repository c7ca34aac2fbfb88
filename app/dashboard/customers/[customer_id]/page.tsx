// One customer: sums, payment requests, subscriptions, transactions and mails, details and history.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { limits } from "@/server/kit/limits";
import { History } from "../../_parts/history";
import { CustomerCredit } from "../_parts/customer-credit";
import { CustomerDetails } from "../_parts/customer-details";
import { CustomerHead } from "../_parts/customer-head";
import { CustomerMails } from "../_parts/customer-mails";
import { readerOf } from "../_parts/customer-page";
import { nameOf } from "../_parts/customer-path";
import { CustomerPayments, CustomerSums } from "../_parts/customer-payments";
import { CustomerSubscriptions } from "../_parts/customer-subscriptions";
import { CustomerTransactions } from "../_parts/customer-transactions";
import classes from "../_parts/customer-view.module.css";

interface Props {
  params: Promise<{ customer_id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { customer } = await readerOf((await params).customer_id);
  const t = await getTranslations("customers");
  return { title: nameOf(customer) ?? t("erased") };
}

export default async function CustomerPage({ params }: Props) {
  const { customer_id: id } = await params;
  const { user, customer } = await readerOf(id);
  const [reader, caller] = await Promise.all([viewer(), api()]);
  const { account_id } = customer;
  const [activity, requests, account] = await Promise.all([
    caller.customers.activity({ customer_id: id }),
    caller.payments.list({ customer_id: id, limit: limits.customerActivity.shown }),
    userMay(user, "accounts.list") ? caller.accounts.get({ account_id }) : null,
  ]);
  const isMerged = customer.merged_into !== null;
  return (
    <>
      <CustomerHead
        customer={customer}
        may={{
          write: userMay(user, "customers.write"),
          ask: userMay(user, "payments.create"),
          record: userMay(user, "transactions.create.payment"),
        }}
      />
      <div className={classes.columns}>
        <div className={classes.column}>
          {!isMerged && (
            <>
              <CustomerSums {...activity} locale={reader.locale} />
              <CustomerCredit credit={customer.credit} sources={activity.credits} reader={reader} />
              <CustomerPayments customerId={id} page={requests} reader={reader} />
              <CustomerSubscriptions customerId={id} reader={reader} />
              <CustomerTransactions customerId={id} transactions={activity.transactions} reader={reader} />
              <CustomerMails mails={activity.mails} reader={reader} />
            </>
          )}
          <History objectId={id} reader={reader} />
        </div>
        <div className={classes.column}>
          <CustomerDetails
            customer={customer}
            account={account && { id: account_id, name: account.account_name }}
            reader={reader}
          />
        </div>
      </div>
    </>
  );
}
