// The name of a customer: any text, or one of the account's customers. The server searches, so there may be any number.
"use client";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useTRPC } from "@/app/_trpc/client";
import { searchOptions, useMatches } from "@/app/_ui/matches";
import { offered } from "@/app/_ui/offered-options";
import { Option, useOptionList } from "@/app/_ui/option-list";
import type { SearchFieldProps } from "@/app/_ui/search-select";
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
  const { options, isAnswered } = useFoundCustomers(accountId, typed);
  const { isOpen, setIsOpen, marked, mark, listId, idOf, onKeyDown } = useOptionList(options, {
    isFirstMarked: false,
    choose,
    onEarlyEnter: () => setIsOpen(false),
    onEscape: () => {},
  });
  const isShown = isOpen && options.length > 0;
  const early = useEarlyKeys({ options, isAnswered, mark, choose });
  function type(name: string) {
    setTyped(name);
    early.forget();
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
                <CustomerOption
                  key={option.value}
                  {...{ option, id: idOf(option), isMarked: option === marked, choose }}
                />
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
        early.forget();
        field.onBlur?.(event);
      }}
      onKeyDown={(event) => {
        if (early.onKeyDown(event)) return setIsOpen(true);
        // Without matches in sight, Enter sends the form.
        if (isShown || event.key !== "Enter") onKeyDown(event);
      }}
    />
  );
}

interface OptionProps {
  option: FoundCustomer;
  id: string;
  isMarked: boolean;
  choose(option: FoundCustomer): void;
}

const CustomerOption = ({ option, id, isMarked, choose }: OptionProps) => (
  <Option id={id} isChosen={false} isMarked={isMarked} onChoose={() => choose(option)}>
    <Row {...option} />
  </Option>
);

const Row = ({ label, details }: { label: string; details: string }) => (
  <span className={rows.row}>
    <span className={rows.title}>{label}</span>
    <span className={rows.details}>{details}</span>
  </span>
);

interface EarlyUse {
  options: readonly FoundCustomer[];
  isAnswered: boolean;
  mark(value: string): void;
  choose(option: FoundCustomer): void;
}

/** Who types fast presses the arrow key and Enter before there is a match: both are done once it is there. */
function useEarlyKeys({ options, isAnswered, mark, choose }: EarlyUse) {
  const [wanted, setWanted] = useState<"first" | "choose" | null>(null);
  useEffect(() => {
    if (wanted === null || (!isAnswered && options.length === 0)) return;
    const [first] = options;
    setWanted(null);
    if (first && wanted === "choose") choose(first);
    else if (first) mark(first.value);
  });
  /** Whether the key was taken. */
  function onKeyDown(event: KeyboardEvent): boolean {
    const isEarly = !isAnswered && options.length === 0 && !event.nativeEvent.isComposing;
    if (!isEarly || !(event.key === "ArrowDown" || (event.key === "Enter" && wanted !== null))) return false;
    event.preventDefault();
    setWanted(event.key === "Enter" ? "choose" : "first");
    return true;
  }
  return { onKeyDown, forget: () => setWanted(null) };
}

type FoundCustomer = ReturnType<typeof optionOf>;

const optionOf = (customer: Customer) => ({
  value: customer.customer_id,
  label: nameOf(customer) ?? customer.customer_id,
  words: [customer.email, customer.reference].filter((text) => text !== null).join(" "),
  details: [customer.email, customer.reference]
    .filter((text) => text !== null && text !== nameOf(customer))
    .join(" · "),
  customer,
});

/** The customers of the account that match what is typed, as options; the newest ones while nothing is. */
function useFoundCustomers(accountId: string, typed: string) {
  const text = typed.trim().slice(0, limits.searchText);
  const [q] = useDebouncedValue(text, typingMs);
  const search = { account_id: accountId, ...(q !== "" && { q }) };
  const enabled = accountId !== "";
  const options = { ...useTRPC().customers.list.queryOptions(search, searchOptions), enabled };
  const { data, isBehind } = useMatches(options);
  const isAnswered = !enabled || (!isBehind && q === text);
  // The answer about another account is kept until the one about this account is here.
  const found = (data?.data ?? []).filter((customer) => isCurrent(customer) && customer.account_id === accountId);
  return { options: offered(found.map(optionOf), typed, isAnswered), isAnswered };
}
