// The head of an account's pages: name, status, actions and tabs.
import { useTranslations } from "next-intl";
import { userMay } from "@/app/_trpc/may";
import type { Outputs } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { PageActions } from "@/app/_ui/page-actions";
import { PageHead } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { TabLinks } from "@/app/_ui/tab-links";
import type { Account } from "./account-columns";
import { AccountNotices } from "./account-notices";
import { listPath, pathOf } from "./account-page";
import { AssignOwner } from "./assign-owner";
import { CloseAccount } from "./close-account";

interface Props {
  account: Account;
  /** The owner, in words; null for nobody, or if that is unknown. */
  owner: string | null;
  user: Outputs["users"]["current"];
  locale: string;
  view: "overview" | "transactions";
}

export function AccountHead({ account, owner, user, locale, view }: Props) {
  const t = useTranslations("accounts");
  const { account_id: id, account_name: name, status } = account;
  const path = pathOf(id);
  const transfer = (
    <ButtonLink href={`/dashboard/transactions/new?type=transfer&account_id=${id}`} variant="outline">
      {t("transfer")}
    </ButtonLink>
  );
  const maySettle = userMay(user, "transactions.create.onClosedAccount");
  const settle = maySettle && account.balances.some(({ available }) => available < 0) && (
    <ButtonLink href={`/dashboard/transactions/new?type=transfer&destination_account_id=${id}`} variant="outline">
      {t("settle")}
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title={name}
        back={{ href: listPath, label: t("title"), id }}
        aside={<StatusBadge status={status} />}
        action={
          status === "closed" ? (
            maySettle && (
              <PageActions>
                {settle}
                {transfer}
              </PageActions>
            )
          ) : (
            <PageActions>
              {settle}
              {userMay(user, "transactions.create.transfer") && transfer}
              {userMay(user, "accounts.update") && (
                <ButtonLink href={`${path}/edit`} variant="outline">
                  {t("edit")}
                </ButtonLink>
              )}
              {userMay(user, "accounts.update.owner") && (
                <AssignOwner id={id} name={name} owner={owner} ownerId={account.owner_user_id} />
              )}
              {userMay(user, "accounts.close") && (
                <CloseAccount id={id} name={name} isOwn={user.account_id === id} locale={locale} />
              )}
            </PageActions>
          )
        }
      />
      <AccountNotices account={account} />
      <TabLinks
        label={t("views", { name })}
        tabs={[
          { href: path, label: t("overview"), isCurrent: view === "overview" },
          { href: `${path}/transactions`, label: t("transactions"), isCurrent: view === "transactions" },
        ]}
      />
    </>
  );
}
