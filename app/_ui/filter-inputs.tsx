// The fields of a list's filters, filled in from the address. They are read when their form is submitted.
"use client";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { currencyOptions } from "../_i18n/currency-options";
import { AmountRange } from "./amount-range";
import { DateRange } from "./date-range";
import { type FilterField, type FilterReader, typedOf } from "./filter-field";
import classes from "./filter-inputs.module.css";
import { baseOf, keyOf, type ListQuery } from "./list-query";

interface Props {
  fields: readonly FilterField[];
  filters: ListQuery["filters"];
  reader: FilterReader;
}

export function FilterInputs({ fields, filters, reader }: Props) {
  return (
    <div className={classes.fields}>
      {fields.map((field, index) => {
        const [before, after, last] = [fields[index - 1], fields[index + 1], fields[index + 2]];
        if (field.kind === "since" && after?.kind === "until") {
          return <DateRange key={field.name} since={field} until={after} {...{ filters, reader }} />;
        }
        if (field.kind === "currency" && after?.kind === "atLeast" && last?.kind === "atMost") {
          const bounds = { currency: field, atLeast: after, atMost: last };
          return <AmountRange key={field.name} {...bounds} {...{ filters, reader }} />;
        }
        const isInRange = (field.kind === "until" && before?.kind === "since") || isBound(field);
        return isInRange ? null : <FilterInput key={field.name} {...{ field, filters, reader }} />;
      })}
    </div>
  );
}

type Bound = Extract<FilterField, { kind: "atLeast" | "atMost" }>;

/** Bounds of an amount follow their currency, which shows them. */
const isBound = (field: FilterField): field is Bound => field.kind === "atLeast" || field.kind === "atMost";

interface InputProps extends Omit<Props, "fields"> {
  field: Exclude<FilterField, Bound>;
}

function FilterInput({ field, filters, reader }: InputProps) {
  const t = useTranslations("list");
  const { name, label, kind } = field;
  const common = { id: `filter-${name}`, name, label, defaultValue: typedOf(field, filters, reader), size: "sm" };
  switch (kind) {
    case "text":
      return <TextInput {...common} maxLength={field.maxLength} inputMode={field.inputMode} autoComplete="off" />;
    case "since":
    case "until":
      return <TextInput {...common} type="date" wrapperProps={{ "data-half": true }} />;
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
