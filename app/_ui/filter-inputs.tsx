// The fields of a list's filters, filled in from the address. They are read when their form is submitted.
"use client";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { currencyOptions } from "../_i18n/currency-options";
import { DateRange } from "./date-range";
import { currencyOf, type FilterField, type FilterReader, typedOf } from "./filter-field";
import classes from "./filter-inputs.module.css";
import { baseOf, keyOf, type ListQuery } from "./list-query";
import { MoneyInput } from "./money-input";

interface Props {
  fields: readonly FilterField[];
  filters: ListQuery["filters"];
  reader: FilterReader;
}

export function FilterInputs({ fields, filters, reader }: Props) {
  const [currency, setCurrency] = useState(filters["currency"] ?? "");
  /** Amounts are in the currency that is chosen among the filters. */
  const onInput = ({ target }: FormEvent) => {
    if (target instanceof HTMLSelectElement && target.name === "currency") setCurrency(target.value);
  };
  return (
    <div className={classes.fields} onInput={onInput}>
      {fields.map((field, index) => {
        const [before, after] = [fields[index - 1], fields[index + 1]];
        if (field.kind === "since" && after?.kind === "until") {
          return <DateRange key={field.name} since={field} until={after} {...{ filters, reader }} />;
        }
        const isInRange = field.kind === "until" && before?.kind === "since";
        return isInRange ? null : <FilterInput key={field.name} {...{ field, filters, reader, currency }} />;
      })}
    </div>
  );
}

interface InputProps extends Omit<Props, "fields"> {
  field: FilterField;
  /** The currency that is chosen among the filters; empty for none. */
  currency: string;
}

function FilterInput({ field, filters, reader, currency }: InputProps) {
  const t = useTranslations("list");
  const { name, label, kind } = field;
  const common = { id: `filter-${name}`, name, label, defaultValue: typedOf(field, filters, reader), size: "sm" };
  switch (kind) {
    case "text":
      return <TextInput {...common} maxLength={field.maxLength} inputMode={field.inputMode} autoComplete="off" />;
    case "since":
    case "until":
      return <TextInput {...common} type="date" wrapperProps={{ "data-half": true }} />;
    case "atLeast":
    case "atMost":
      return <Amount {...common} currency={currencyOf(field.currency, { currency })} locale={reader.locale} />;
    case "select":
    case "currency": {
      const options = kind === "select" ? field.options : currencyOptions(reader.locale);
      return <NativeSelect {...common} data={[{ value: "", label: t("any") }, ...options]} />;
    }
    case "choice":
      return <Choice {...field} chosen={common.defaultValue.split(",")} />;
    case "entries":
      return <Entries name={name} label={label} filters={filters} />;
  }
}

interface AmountProps {
  id: string;
  name: string;
  label: string;
  defaultValue: string;
  size: string;
  currency: string;
  locale: string;
}

function Amount({ currency, ...props }: AmountProps) {
  const t = useTranslations("list");
  const [text, setText] = useState(props.defaultValue);
  return (
    <MoneyInput
      {...props}
      text={text}
      currency={currency}
      wrapperProps={{ "data-half": true }}
      preview={{ empty: t("moneyHelp", { currency }), understood: (amount) => amount }}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

interface ChoiceProps extends Extract<FilterField, { kind: "choice" }> {
  chosen: readonly string[];
}

function Choice({ name, label, options, chosen }: ChoiceProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{label}</legend>
      <div className={classes.choices}>
        {options.map(({ value, label: text }) => (
          <Checkbox
            key={value}
            name={name}
            value={value}
            label={text}
            defaultChecked={chosen.includes(value)}
            classNames={{ root: classes.choice }}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** One row for each entry, and one to add another. */
function Entries({ name, label, filters }: { name: string; label: string; filters: ListQuery["filters"] }) {
  const t = useTranslations("list");
  const known = Object.entries(filters).filter(([parameter]) => baseOf(parameter) === name && parameter !== name);
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{label}</legend>
      {[...known, ["", ""] as const].map(([parameter, value]) => (
        <div key={parameter} className={classes.entry}>
          <TextInput
            size="sm"
            name={`${name}.key`}
            aria-label={`${label}, ${t("entryKey")}`}
            placeholder={t("entryKey")}
            defaultValue={keyOf(parameter)}
            autoComplete="off"
          />
          <TextInput
            size="sm"
            name={`${name}.value`}
            aria-label={`${label}, ${t("entryValue")}`}
            placeholder={t("entryValue")}
            defaultValue={value}
            autoComplete="off"
          />
        </div>
      ))}
    </fieldset>
  );
}
