// Chooses an active user of the organization. The server searches by name and e-mail, so there may be any number:
// <UserSelect label={t("newOwner")} nobody={t("chooseUser")} onUser={(id, name) => …} />
"use client";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";
import type { Outputs } from "@/app/_trpc/server";
import { searchOptions, useMatches } from "@/app/_ui/matches";
import { type SearchFieldProps, SearchSelect, useSearchChoice } from "@/app/_ui/search-select";
import classes from "../../transactions/_parts/request-select.module.css";

type User = Outputs["users"]["list"]["data"][number];

interface Props extends SearchFieldProps {
  /** The option for no user. */
  nobody: string;
  /** The user who cannot be chosen. */
  except?: string | null;
  /** Receives the id and the e-mail address; both are empty for no user. */
  onUser(id: string, email: string): void;
}

const optionOf = ({ user_id: value, name, email }: User) => ({ value, label: name ?? email, words: email });

export function UserSelect({ nobody, except = null, onUser, ...field }: Props) {
  const t = useTranslations("form");
  const choice = useSearchChoice({ value: "", label: nobody }, null);
  const search = { status: ["active" as const], ...(choice.q === "" ? {} : { q: choice.q }) };
  const { data, isBehind } = useMatches(useTRPC().users.list.queryOptions(search, searchOptions));
  const found = data?.data.filter(({ user_id }) => user_id !== except);
  const byId = (id: string) => found?.find(({ user_id }) => user_id === id);
  return (
    <SearchSelect
      {...field}
      choice={choice}
      found={found?.map(optionOf)}
      isBehind={isBehind}
      noMatch={t("noUser")}
      contentOf={({ value, label }) => {
        const email = byId(value)?.email;
        if (email === undefined || email === label) return label;
        return (
          <span className={classes.row}>
            <span className={classes.title}>{label}</span>
            <span className={classes.details}>{email}</span>
          </span>
        );
      }}
      onChoose={(id) => onUser(id, byId(id)?.email ?? "")}
    />
  );
}
