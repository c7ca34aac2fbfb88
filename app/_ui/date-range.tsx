// Two dates of a list's filters, from and to, with the periods that readers choose most often.
"use client";
import { Box, Button, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Days, presets, presetsAt } from "./date-presets";
import classes from "./date-range.module.css";
import { type FilterField, type FilterReader, typedOf } from "./filter-field";
import type { ListQuery } from "./list-query";
import { useNow } from "./organization-time";

interface Props {
  since: FilterField;
  until: FilterField;
  filters: ListQuery["filters"];
  reader: FilterReader;
}

export function DateRange({ since, until, filters, reader }: Props) {
  const t = useTranslations("list");
  const now = useNow();
  const [days, setDays] = useState<Days>([typedOf(since, filters, reader), typedOf(until, filters, reader)]);
  const [first, last] = days;
  const periods = presetsAt(now(), reader.timeZone);
  const isChosen = ([from, to]: Days) => from === first && to === last;
  return (
    <div className={classes.range}>
      <DayInput field={since} day={first} onChange={(day) => setDays([day, last])} />
      {/* The browser refuses a last day before the first one, and says so. */}
      <DayInput field={until} day={last} min={first} onChange={(day) => setDays([first, day])} />
      <Box role="group" aria-label={`${since.label} – ${until.label}`} className={classes.presets}>
        {presets.map((preset) => (
          <Button
            key={preset}
            variant="default"
            size="compact-sm"
            className={classes.preset}
            aria-pressed={isChosen(periods[preset])}
            onClick={() => setDays(isChosen(periods[preset]) ? ["", ""] : periods[preset])}
          >
            {t(`period.${preset}`)}
          </Button>
        ))}
      </Box>
      <p role="status" className={classes.text}>
        {textOf(days, reader.locale)}
      </p>
    </div>
  );
}

interface DayProps {
  field: FilterField;
  day: string;
  /** The earliest day that may be chosen, as the input's value. */
  min?: string;
  onChange(day: string): void;
}

function DayInput({ field: { name, label }, day, min, onChange }: DayProps) {
  return (
    <TextInput
      id={`filter-${name}`}
      name={name}
      label={label}
      type="date"
      size="sm"
      value={day}
      min={min}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The days as the dashboard writes dates: a browser's date input follows the browser's language. */
function textOf([first, last]: Days, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const [from, to] = [Date.parse(first), Date.parse(last)];
  const text = (at: number) => (Number.isNaN(at) ? "" : format.format(at));
  if (from <= to) return format.formatRange(from, to);
  return first === "" && last === "" ? "" : `${text(from)} – ${text(to)}`.trim();
}
