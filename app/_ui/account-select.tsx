// Chooses an open account of the organization. The server searches, so there may be any number of them:
// <AccountSelect label={t("account")} nothing={t("everywhere")} {...form.getInputProps("account")} />
// The value is the account's id, or empty. `onAccount` also gets what the server said of the account.
"use client";
import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useState } from "react";
import { useTRPC } from "@/app/_trpc/client";
import type { Outputs } from "@/app/_trpc/server";
import { limits } from "@/server/kit/limits";
import classes from "./account-select.module.css";

type Account = Outputs["accounts"]["list"]["data"][number];

interface Props extends Pick<SelectProps, "id" | "name" | "label" | "description" | "error" | "onBlur" | "onFocus"> {
  /** The option for no account. */
  nothing: string;
  /** The choice on arrival. */
  initial?: Pick<Account, "account_id" | "account_name"> | null;
  onChange?(id: string): void;
  onAccount?(account: Account | null): void;
}

const typingMs = 200;

export function AccountSelect({ nothing, initial, onChange, onAccount, ...field }: Props) {
  const t = useTranslations("form");
  const none = { value: "", label: nothing };
  const [chosen, setChosen] = useState(initial ? { value: initial.account_id, label: initial.account_name } : none);
  const [typed, setTyped] = useState(chosen.label);
  // While nothing else is typed, the field shows the name of the choice.
  const [q] = useDebouncedValue(typed === chosen.label ? "" : typed.trim(), typingMs);
  const search = { status: ["open" as const], ...(q === "" ? {} : { q }) };
  const { data: found, isFetching } = useQuery(
    useTRPC().accounts.list.queryOptions(search, { placeholderData: keepPreviousData, staleTime: 0 }),
  );
  const accounts =
    found?.data.map(({ account_id, account_name }) => ({ value: account_id, label: account_name })) ?? [];
  const options = q === "" ? [none, ...accounts] : accounts;
  return (
    <Select
      {...field}
      classNames={{ dropdown: classes.dropdown ?? "" }}
      searchable
      allowDeselect={false}
      autoComplete="off"
      maxLength={limits.searchText}
      data={options.some(({ value }) => value === chosen.value) ? options : [...options, chosen]}
      filter={({ options: all }) =>
        all.filter((option) => "value" in option && options.some(({ value }) => value === option.value))
      }
      value={chosen.value}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={isFetching ? t("searching") : t("noAccount")}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={keepFromSubmitting}
      onChange={(id) => {
        const option = options.find(({ value }) => value === id) ?? none;
        setChosen(option);
        onChange?.(option.value);
        onAccount?.(found?.data.find(({ account_id }) => account_id === option.value) ?? null);
      }}
    />
  );
}

/** Enter chooses the marked match. Without one it does nothing: it must not send the form with the previous choice. */
function keepFromSubmitting(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === "Enter" && event.currentTarget.getAttribute("aria-expanded") === "true") event.preventDefault();
}
