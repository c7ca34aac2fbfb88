// The head of a customer's page: the name, the actions, and what became of one that was merged or erased.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ButtonLink } from "@/app/_ui/button-link";
import { Link } from "@/app/_ui/link";
import { PageActions } from "@/app/_ui/page-actions";
import { PageHead } from "@/app/_ui/page-frame";
import classes from "@/app/dashboard/accounts/_parts/account-notices.module.css";
import { type Customer, customerPath, isCurrent, listPath, nameOf } from "./customer-path";
import { EraseCustomer } from "./erase-customer";
import { MergeCustomer } from "./merge-customer";

interface Props {
  customer: Customer;
  may: Record<"write" | "ask" | "record", boolean>;
}

export function CustomerHead({ customer, may }: Props) {
  const t = useTranslations("customers");
  const { customer_id: id, account_id: accountId, merged_into: into, erased_at: erasedAt } = customer;
  const name = nameOf(customer) ?? t("erased");
  return (
    <>
      <PageHead
        title={name}
        back={{ href: listPath, label: t("title"), id }}
        action={
          isCurrent(customer) && (
            <PageActions>
              {may.ask && (
                <ButtonLink href={`/dashboard/payment-requests/new?customer_id=${id}`}>{t("newRequest")}</ButtonLink>
              )}
              {may.record && (
                <ButtonLink href={`/dashboard/transactions/new?type=payment&customer_id=${id}`} variant="outline">
                  {t("recordPayment")}
                </ButtonLink>
              )}
              {may.write && (
                <ButtonLink href={`${customerPath(id)}/edit`} variant="outline">
                  {t("edit")}
                </ButtonLink>
              )}
              {may.write && <MergeCustomer id={id} accountId={accountId} name={name} />}
              {may.write && <EraseCustomer id={id} name={name} />}
            </PageActions>
          )
        }
      />
      {into !== null && (
        <Notice title={t("mergedTitle")}>
          {t.rich("mergedText", { into: (words) => <Link href={customerPath(into)}>{words}</Link> })}
        </Notice>
      )}
      {erasedAt !== null && <Notice title={t("erasedTitle")}>{t("erasedText")}</Notice>}
    </>
  );
}

const Notice = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={classes.notice}>
    <p className={classes.title}>{title}</p>
    <p className={classes.text}>{children}</p>
  </div>
);
