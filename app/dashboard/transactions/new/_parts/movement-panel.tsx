// The form for a transfer, a credit or an adjustment, with the account of the address or the reader's own.
import { currencyOptions } from "@/app/_i18n/currency-options";
import { viewer } from "@/app/_i18n/viewer";
import { findAccount } from "@/app/_trpc/accounts";
import { userMay } from "@/app/_trpc/may";
import { currentUser } from "@/app/_trpc/session";
import { MovementForm } from "../../_parts/movement-form";
import type { Movement } from "../../_parts/movements";
import { visibleAccounts } from "../../_parts/visible-accounts";

interface Props {
  movement: Movement;
  accountId: string | undefined;
  /** The account that a transfer goes to. */
  destinationId: string | undefined;
}

export async function MovementPanel({ movement, accountId, destinationId }: Props) {
  const [user, { locale }, { accounts, own, currency }, given, destination] = await Promise.all([
    currentUser(),
    viewer(),
    visibleAccounts(),
    findAccount(accountId),
    movement === "transfer" ? findAccount(destinationId) : null,
  ]);
  const maySearch = user !== null && userMay(user, "accounts.list");
  const mayEmpty = movement !== "credit" && user !== null && userMay(user, "transactions.create.onClosedAccount");
  type Account = (typeof accounts)[number] | null | undefined;
  const mayStart = (account: Account) => account?.status === "open" || (mayEmpty && account === given);
  const isOther = (account: Account) => account?.account_id !== destination?.account_id;
  const initial = [given, own, ...accounts].find((account) => mayStart(account) && isOther(account)) ?? null;
  const owed = destination?.balances.find(({ available }) => available < 0)?.currency;
  return (
    <MovementForm
      movement={movement}
      locale={locale}
      // Money of a currency that is no longer in use can still be moved out.
      currencies={currencyOptions(locale, movement === "credit" ? "current" : undefined)}
      currency={owed ?? initial?.preferences.default_currency ?? currency}
      own={maySearch ? null : accounts.filter(({ status }) => status === "open")}
      initial={initial}
      destination={maySearch ? destination : null}
    />
  );
}
