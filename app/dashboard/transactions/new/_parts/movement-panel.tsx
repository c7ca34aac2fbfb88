// The form for a transfer, a credit or an adjustment, with the account of the address or the reader's own.
import { currencyOptions } from "@/app/_i18n/currency-options";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { currentUser } from "@/app/_trpc/session";
import { failureOf } from "@/server/pipeline/trpc-router";
import { MovementForm } from "../../_parts/movement-form";
import type { Movement } from "../../_parts/movements";
import { visibleAccounts } from "../../_parts/visible-accounts";

/** The account in the address, if the reader may see it. */
async function accountOf(id: string | undefined) {
  if (id === undefined) return null;
  const caller = await api();
  try {
    return await caller.accounts.get({ account_id: id });
  } catch (error) {
    if (failureOf(error).code === "account_not_found") return null;
    throw error;
  }
}

export async function MovementPanel({ movement, accountId }: { movement: Movement; accountId: string | undefined }) {
  const [user, { locale }, { accounts, own, currency }, given] = await Promise.all([
    currentUser(),
    viewer(),
    visibleAccounts(),
    accountOf(accountId),
  ]);
  const maySearch = user !== null && userMay(user, "accounts.list");
  const mayEmpty = movement !== "credit" && user !== null && userMay(user, "transactions.create.onClosedAccount");
  const mayStart = (account: (typeof accounts)[number] | null | undefined) =>
    account?.status === "open" || (mayEmpty && account === given);
  const initial = [given, own, ...accounts].find(mayStart) ?? null;
  return (
    <MovementForm
      movement={movement}
      locale={locale}
      // Money of a currency that is no longer in use can still be moved out.
      currencies={currencyOptions(locale, movement === "credit" ? "current" : undefined)}
      currency={initial?.preferences.default_currency ?? currency}
      own={maySearch ? null : accounts.filter(({ status }) => status === "open")}
      initial={initial}
    />
  );
}
