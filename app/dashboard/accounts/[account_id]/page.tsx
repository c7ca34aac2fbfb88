// One account: balances, identity, preferences.
import type { Metadata } from "next";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { AccountHead } from "../_parts/account-head";
import { AccountOverview } from "../_parts/account-overview";
import { readerOf } from "../_parts/account-page";
import { ownerOf } from "../_parts/owner";

interface Props {
  params: Promise<{ account_id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { account } = await readerOf((await params).account_id);
  return { title: account.account_name };
}

export default async function AccountPage({ params }: Props) {
  const { account_id: id } = await params;
  const { user, account } = await readerOf(id);
  const [reader, owner] = await Promise.all([viewer(), ownerOf(account, user)]);
  return (
    <>
      <AccountHead account={account} owner={owner} user={user} locale={reader.locale} view="overview" />
      <AccountOverview account={account} owner={owner} mayUpdate={userMay(user, "accounts.update")} reader={reader} />
    </>
  );
}
