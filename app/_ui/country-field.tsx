// Chooses a country by its name in the reader's language, its English name or its code:
// <CountryField label={t("country")} countries={countryOptions(language)} {...form.getInputProps("country")} />
// The value is the code, or empty.
"use client";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { CountryOption } from "../_i18n/country-options";
import { countryFinder } from "./country-matches";
import { type SearchFieldProps, SearchSelect, useSearchChoice } from "./search-select";
import classes from "./search-select.module.css";

interface Props extends SearchFieldProps {
  countries: readonly CountryOption[];
  /** The code on arrival. */
  defaultValue?: string;
  onChange?(code: string): void;
}

const none = { value: "", label: "" };

export function CountryField({ countries, defaultValue: code = "", onChange, ...field }: Props) {
  const t = useTranslations("form");
  const find = useMemo(() => countryFinder(countries), [countries]);
  const named = countries.find(({ value }) => value === code) ?? { value: code, label: code };
  const choice = useSearchChoice(none, named, 0);
  return (
    <SearchSelect
      {...field}
      choice={choice}
      found={find(choice.q)}
      isBehind={false}
      noMatch={t("noCountry")}
      contentOf={({ value, label }) => (
        <span className={classes.coded}>
          <span>{label}</span>
          <span className={classes.code}>{value}</span>
        </span>
      )}
      onChoose={(value) => onChange?.(value)}
    />
  );
}
