// The bounds of an amount among a list's filters, and their currency: amounts of different currencies do not compare.
"use client";
import { NativeSelect } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { currencyOptions } from "../_i18n/currency-options";
import classes from "./amount-range.module.css";
import { areReversed, currencyOf, type FilterField, type FilterReader, typedOf } from "./filter-field";
import type { ListQuery } from "./list-query";
import { MoneyInput } from "./money-input";

type AmountField = Extract<FilterField, { kind: "atLeast" | "atMost" }>;

interface Props {
  currency: FilterField;
  atLeast: AmountField;
  atMost: AmountField;
  filters: ListQuery["filters"];
  reader: FilterReader;
}

export function AmountRange({ currency: { name, label }, atLeast, atMost, filters, reader }: Props) {
  const t = useTranslations("list");
  const [chosen, setChosen] = useState(filters[name] ?? "");
  const [from, setFrom] = useState(typedOf(atLeast, filters, reader));
  const [to, setTo] = useState(typedOf(atMost, filters, reader));
  const hasAmount = from.trim() !== "" || to.trim() !== "";
  const currency = currencyOf(atLeast.currency, { currency: chosen });
  const isReversed = areReversed(from, to, currency, reader.locale);
  const amount = { currency, locale: reader.locale };
  return (
    <div className={classes.range}>
      {/* With an amount, one currency is chosen, and the reader sees which. */}
      <NativeSelect
        id={`filter-${name}`}
        name={name}
        label={label}
        size="sm"
        className={classes.currency}
        value={hasAmount ? currency : chosen}
        data={[...(hasAmount ? [] : [{ value: "", label: t("any") }]), ...currencyOptions(reader.locale)]}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <Bound {...amount} field={atLeast} text={from} onChange={setFrom} />
      <Bound {...amount} field={atMost} text={to} onChange={setTo} problem={isReversed ? t("amountsReversed") : ""} />
    </div>
  );
}

interface BoundProps {
  field: AmountField;
  text: string;
  currency: string;
  locale: string;
  /** Why the form is not sent; empty if it is. */
  problem?: string;
  onChange(text: string): void;
}

/** A problem is shown once the reader leaves the field or sends the form: not while the amount is being typed. */
function Bound({ field: { name, label }, problem = "", onChange, ...amount }: BoundProps) {
  const t = useTranslations("list");
  const [isShown, setIsShown] = useState(false);
  return (
    <MoneyInput
      {...amount}
      ref={(input: HTMLInputElement | null) => input?.setCustomValidity(problem)}
      id={`filter-${name}`}
      name={name}
      label={label}
      size="sm"
      error={isShown && problem}
      preview={{ empty: t("moneyHelp", { currency: amount.currency }), understood: (understood) => understood }}
      onChange={(event) => {
        setIsShown(false);
        onChange(event.currentTarget.value);
      }}
      onBlur={() => setIsShown(true)}
      onInvalid={(event) => {
        event.preventDefault();
        setIsShown(true);
        event.currentTarget.focus();
        // The buttons at the foot of the drawer must not cover it.
        event.currentTarget.scrollIntoView({ block: "center" });
      }}
    />
  );
}
