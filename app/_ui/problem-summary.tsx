// Lists the problems of a form above its fields; takes the focus, so that nobody misses it (WCAG 3.3.1).
"use client";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import classes from "./problem-summary.module.css";
import { Refusal } from "./refusal";

export interface FieldProblem {
  /** The `id` of the field. */
  field: string;
  text: string;
}

interface Props {
  fields: readonly FieldProblem[];
  /** The error of the failed call. */
  refusal: unknown;
  /** Counts the failed attempts: each new one moves the focus here again. */
  attempt: number;
}

export function ProblemSummary({ fields, refusal, attempt }: Props) {
  const t = useTranslations("form");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) box.current?.focus();
  }, [attempt]);
  // Opens what hides a field, so that its link can lead there.
  useEffect(() => {
    for (const { field } of fields) document.getElementById(field)?.closest("details")?.setAttribute("open", "");
  }, [fields]);
  if (fields.length === 0 && !refusal) return null;
  return (
    <div ref={box} role="alert" tabIndex={-1} className={classes.summary}>
      <p className={classes.title}>{refusal ? <Refusal error={refusal} /> : t("summary", { count: fields.length })}</p>
      {!refusal && (
        <ul className={classes.list}>
          {fields.map(({ field, text }) => (
            <li key={field}>
              <a href={`#${field}`}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
