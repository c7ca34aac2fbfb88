// Chooses an open account of the organization. The server searches, so there may be any number of them:
// <AccountSelect label={t("account")} nothing={t("everywhere")} {...form.getInputProps("account")} />
// The value is the account's id, or empty. `onAccount` also gets what the server said of the account.
"use client";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";
import type { Outputs } from "@/app/_trpc/server";
import { searchOptions, useMatches } from "./matches";
import { type SearchFieldProps, SearchSelect, useSearchChoice } from "./search-select";

type Account = Outputs["accounts"]["list"]["data"][number];
type Named = Pick<Account, "account_id" | "account_name">;

interface Props extends SearchFieldProps {
  /** The option for no account. */
  nothing: string;
  /** The choice on arrival. */
  initial?: Named | null;
  onChange?(id: string): void;
  onAccount?(account: Account | null): void;
}

const optionOf = ({ account_id: value, account_name: label }: Named) => ({ value, label });

export function AccountSelect({ nothing, initial, onChange, onAccount, ...field }: Props) {
  const t = useTranslations("form");
  const choice = useSearchChoice({ value: "", label: nothing }, initial ? optionOf(initial) : null);
  const search = { status: ["open" as const], ...(choice.q === "" ? {} : { q: choice.q }) };
  const { data, isBehind } = useMatches(useTRPC().accounts.list.queryOptions(search, searchOptions));
  return (
    <SearchSelect
      {...field}
      choice={choice}
      found={data?.data.map(optionOf)}
      isBehind={isBehind}
      noMatch={t("noAccount")}
      onChoose={(id) => {
        onChange?.(id);
        onAccount?.(data?.data.find(({ account_id }) => account_id === id) ?? null);
      }}
    />
  );
}
