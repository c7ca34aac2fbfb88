// The name of a customer: any text, or one of the account's customers. The server searches, so there may be any number.
"use client";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPC } from "@/app/_trpc/client";
import { Option, useOptionList } from "@/app/_ui/option-list";
import { type SearchFieldProps, searchOptions } from "@/app/_ui/search-select";
import list from "@/app/_ui/search-select.module.css";
import { limits } from "@/server/kit/limits";
import rows from "../../transactions/_parts/request-select.module.css";
import { type Customer, isCurrent, nameOf } from "./customer-path";

/**
 * What the help below the field says.
 * - `choose`: nothing is entered.
 * - `known`: the customer who was chosen.
 * - `new`: a new customer.
 * - `ofRequest`: the customer of the payment request.
 * - `noted`: only the payment names this customer, not its payment request.
 */
export type CustomerHint = "choose" | "known" | "new" | "ofRequest" | "noted";

interface Props extends SearchFieldProps {
  /** Whose customers are offered; empty where none are. */
  accountId: string;
  hint: CustomerHint;
  defaultValue?: string;
  onChange?(name: string): void;
  onCustomer(customer: Customer): void;
}

const typingMs = 200;

export function CustomerNameField({ accountId, hint, defaultValue, onChange, onCustomer, ...field }: Props) {
  const t = useTranslations("customerName");
  const form = useTranslations("form");
  const [typed, setTyped] = useState(defaultValue ?? "");
  const options = useFoundCustomers(accountId, typed);
  const { isOpen, setIsOpen, marked, listId, idOf, onKeyDown } = useOptionList(options, {
    isFirstMarked: false,
    choose,
    onEarlyEnter: () => setIsOpen(false),
    onEscape: () => {},
  });
  const isShown = isOpen && options.length > 0;
  function type(name: string) {
    setTyped(name);
    onChange?.(name);
    setIsOpen(name.trim() !== "");
  }
  function choose({ value }: { value: string }) {
    const customer = options.find((option) => option.value === value)?.customer;
    if (!customer) return;
    type(customer.name ?? "");
    setIsOpen(false);
    onCustomer(customer);
  }
  return (
    <TextInput
      {...field}
      description={t(hint)}
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={isShown}
      aria-controls={listId}
      aria-activedescendant={isShown && marked ? idOf(marked) : undefined}
      autoComplete="off"
      maxLength={limits.name}
      inputContainer={(input) => (
        <div className={list.place}>
          {input}
          <div className={list.dropdown} hidden={!isShown}>
            <div id={listId} role="listbox" aria-label={form("matches")} className={list.list}>
              {options.map((option) => (
                <Option
                  key={option.value}
                  id={idOf(option)}
                  isChosen={false}
                  isMarked={option === marked}
                  onChoose={() => choose(option)}
                >
                  <Row {...option} />
                </Option>
              ))}
            </div>
          </div>
        </div>
      )}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onClick={() => setIsOpen(true)}
      onBlur={(event) => {
        setIsOpen(false);
        field.onBlur?.(event);
      }}
      onKeyDown={(event) => {
        // Without matches in sight, Enter sends the form.
        if (isShown || event.key !== "Enter") onKeyDown(event);
      }}
    />
  );
}

const Row = ({ label, details }: { label: string; details: string }) => (
  <span className={rows.row}>
    <span className={rows.title}>{label}</span>
    <span className={rows.details}>{details}</span>
  </span>
);

/** The customers of the account that match what is typed, as options; the newest ones while nothing is. */
function useFoundCustomers(accountId: string, typed: string) {
  const [q] = useDebouncedValue(typed.trim().slice(0, limits.searchText), typingMs);
  const search = { account_id: accountId, ...(q !== "" && { q }) };
  const { data } = useQuery({
    ...useTRPC().customers.list.queryOptions(search, searchOptions),
    enabled: accountId !== "",
  });
  return (data?.data ?? []).filter(isCurrent).map((customer) => ({
    value: customer.customer_id,
    label: nameOf(customer) ?? customer.customer_id,
    details: [customer.email, customer.reference]
      .filter((text) => text !== null && text !== nameOf(customer))
      .join(" · "),
    customer,
  }));
}
