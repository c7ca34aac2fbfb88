// Chooses another customer of the account. The server searches, so there may be any number of them.
"use client";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";
import { searchOptions, useMatches } from "@/app/_ui/matches";
import { type SearchFieldProps, SearchSelect, useSearchChoice } from "@/app/_ui/search-select";
import rows from "../../transactions/_parts/request-select.module.css";
import type { Customer } from "./customer-path";

interface Props extends SearchFieldProps {
  accountId: string;
  /** The customer that cannot be chosen. */
  except: string;
  onCustomer(id: string, name: string): void;
}

const wordsOf = ({ name, email, reference }: Customer): string[] =>
  [name, email, reference].filter((text) => text !== null);

const optionOf = (customer: Customer) => ({
  value: customer.customer_id,
  label: wordsOf(customer)[0] ?? "",
  words: wordsOf(customer).join(" "),
});

export function CustomerSelect({ accountId, except, onCustomer, ...field }: Props) {
  const t = useTranslations("mergeCustomer");
  const choice = useSearchChoice({ value: "", label: t("nobody") }, null);
  const search = { account_id: accountId, ...(choice.q === "" ? {} : { q: choice.q }) };
  const { data, isBehind } = useMatches(useTRPC().customers.list.queryOptions(search, searchOptions));
  const found = data?.data.filter(({ customer_id }) => customer_id !== except);
  const byId = (id: string) => found?.find(({ customer_id }) => customer_id === id);
  return (
    <SearchSelect
      {...field}
      choice={choice}
      found={found?.map(optionOf)}
      isBehind={isBehind}
      noMatch={t("noMatch")}
      contentOf={(option) => {
        const [title, ...details] = wordsOf(byId(option.value) ?? ({} as Customer));
        if (title === undefined) return option.label;
        return (
          <span className={rows.row}>
            <span className={rows.title}>{title}</span>
            <span className={rows.details}>{details.join(" · ")}</span>
          </span>
        );
      }}
      onChoose={(id) => onCustomer(id, byId(id) ? optionOf(byId(id) as Customer).label : "")}
    />
  );
}
