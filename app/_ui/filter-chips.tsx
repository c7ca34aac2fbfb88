// Below a list's filters: the number of matches, and the active filters, each with a button that removes it.
import { IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { currencyLabel } from "../_i18n/currency-options";
import { dayBefore, dayOf } from "./day-bounds";
import classes from "./filter-chips.module.css";
import { currencyOf, type FilterField, type FilterReader } from "./filter-field";
import { dateFormat } from "./instant-text";
import { Link } from "./link";
import {
  addedFilters,
  baseOf,
  focusPlace,
  isFiltered,
  keyOf,
  type ListQuery,
  listAddress,
  tabFilters,
  withoutFilter,
} from "./list-query";
import type { ListTotal } from "./list-total";
import { formatMoney, isCurrency } from "./money-text";
import { SaveView } from "./save-view";

/** A filter that the reader may add, such as "3 overdue". */
export interface FilterSuggestion {
  label: string;
  href: string;
}

interface Props {
  query: ListQuery;
  fields: readonly FilterField[];
  reader: FilterReader;
  total: ListTotal | null;
  suggestion?: FilterSuggestion | undefined;
  /** False if the server refuses the filters. */
  isUsable: boolean;
}

export function FilterChips({ query, fields, reader, total, suggestion, isUsable }: Props) {
  const t = useTranslations("list");
  const textOf = useFilterText(query, fields, reader);
  const added = addedFilters(query);
  return (
    <div className={classes.place}>
      {total !== null && (
        <span role="status" id={focusPlace} tabIndex={-1} className={classes.count}>
          {total.isEstimate
            ? t(isFiltered(query) ? "aboutMatches" : "aboutRecords", { count: total.count })
            : t(isFiltered(query) ? "matches" : "records", { count: total.count })}
        </span>
      )}
      {suggestion && (
        <Link href={suggestion.href} scroll={false} className={classes.suggestion}>
          {suggestion.label}
        </Link>
      )}
      {added.length > 0 && (
        <>
          <ul aria-label={t("activeFilters")} className={classes.chips}>
            {added.map((name) => (
              <li key={name}>
                <Link
                  href={listAddress(query, { filters: withoutFilter(query.filters, name) })}
                  scroll={false}
                  className={classes.chip}
                  aria-label={t("removeFilter", { filter: textOf(name) })}
                >
                  <span className={classes.text}>{textOf(name)}</span>
                  <IconX size={14} aria-hidden />
                </Link>
              </li>
            ))}
          </ul>
          <Link href={listAddress(query, { filters: tabFilters(query) })} scroll={false} className={classes.clear}>
            {t("clearAll")}
          </Link>
          {isUsable && <SaveView />}
        </>
      )}
    </div>
  );
}

/** A filter in words: its label and its value, with the labels of its options. */
function useFilterText(query: ListQuery, fields: readonly FilterField[], { locale, timeZone }: FilterReader) {
  const t = useTranslations("list");
  const dayText = (day: string, raw: string) =>
    day === "" ? raw : dateFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(day));
  const moneyOf = (raw: string, currency: string) =>
    /^\d{1,15}$/.test(raw) ? formatMoney(Number(raw), currencyOf(currency, query.filters), locale) : raw;
  return (name: string): string => {
    const value = query.filters[name] ?? "";
    if (name === "q") return t("searched", { value });
    const field = fields.find((each) => each.name === baseOf(name));
    if (!field) return t("is", { label: name, value });
    const { label } = field;
    switch (field.kind) {
      case "since":
        return t("is", { label, value: dayText(dayOf(value, timeZone), value) });
      case "until":
        return t("is", { label, value: dayText(dayBefore(value, timeZone), value) });
      case "atLeast":
      case "atMost":
        return t("is", { label, value: moneyOf(value, field.currency) });
      case "entries":
        return t("entry", { label, key: keyOf(name), value });
      case "currency":
        return t("is", { label, value: isCurrency(value) ? currencyLabel(value, locale) : value });
      case "choice":
      case "select": {
        const labels = value
          .split(",")
          .map((one) => field.options.find((option) => option.value === one)?.label ?? one);
        return t("is", { label, value: labels.join(", ") });
      }
      case "text":
        return t("is", field.named ?? { label, value });
      default:
        return t("is", { label, value });
    }
  };
}
