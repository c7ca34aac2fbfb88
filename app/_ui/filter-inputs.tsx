// The fields of a list's filters, filled in from the address. They are read when their form is submitted.
"use client";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
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
      {fields.map((field) => (
        <FilterInput key={field.name} field={field} filters={filters} reader={reader} />
      ))}
    </div>
  );
}

interface InputProps extends Omit<Props, "fields"> {
  field: FilterField;
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
    case "atLeast":
    case "atMost":
      return (
        <TextInput
          {...common}
          wrapperProps={{ "data-half": true }}
          inputMode="decimal"
          autoComplete="off"
          description={t("moneyHelp", { currency: field.currency })}
        />
      );
    case "select":
      return <NativeSelect {...common} data={[{ value: "", label: t("any") }, ...field.options]} />;
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
