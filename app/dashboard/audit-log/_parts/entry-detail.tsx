// What an audit entry says besides who and what: values before and after, and names with ids, codes and amounts.
import { useTranslations } from "next-intl";
import * as z from "zod";
import { CopyableId } from "@/app/_ui/copyable-id";
import { wordOfValue } from "./coded-value";
import classes from "./entries.module.css";

const changes = z.record(z.string(), z.object({ before: z.string().nullable(), after: z.string().nullable() }));

export function EntryDetail({ detail }: { detail: Record<string, unknown> }) {
  const t = useTranslations("auditLog");
  const { changes: given, ...others } = detail;
  const changed = changes.safeParse(given);
  const wordOf = (field: string): string => {
    const key = `fields.${field}` as "fields.name";
    return t.has(key) ? t(key) : field;
  };
  const inWords = useValueWords();
  const lines = Object.entries(others).filter(([, value]) => value !== null && textOf(value) !== "");
  return (
    <dl className={classes.detail}>
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{wordOf(name)}</dt>
          {isOneId(value) ? (
            <dd className={classes.id}>
              <CopyableId id={value} />
            </dd>
          ) : (
            <dd>{isNames(name, value) ? value.map(wordOf).join(", ") : inWords(name, textOf(value))}</dd>
          )}
        </div>
      ))}
      {changed.success &&
        Object.entries(changed.data).map(([field, { before, after }]) => (
          <div key={`changes.${field}`}>
            <dt>{wordOf(field)}</dt>
            <dd>
              {before === null && after === null ? (
                t("erased")
              ) : (
                <BeforeAfter before={before && inWords(field, before)} after={after && inWords(field, after)} />
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** The words for the value of a field, if it is a code. */
function useValueWords() {
  const own = useTranslations("auditLog.values");
  const status = useTranslations("status");
  const ownWord = (code: string) => (own.has(code as "admin") ? own(code as "admin") : undefined);
  const statusWord = (code: string) => (status.has(code as "open") ? status(code as "open") : undefined);
  return (field: string, value: string) => wordOfValue(field, value, ownWord, statusWord);
}

function BeforeAfter({ before, after }: { before: string | null; after: string | null }) {
  const t = useTranslations("auditLog");
  return (
    <>
      <del className={classes.before}>{before ?? t("nothing")}</del>
      <ins className={classes.after}>{after ?? t("nothing")}</ins>
    </>
  );
}

/** Whether the value names fields of the record. */
const isNames = (name: string, value: unknown): value is string[] =>
  name === "fields" && Array.isArray(value) && value.every((each) => typeof each === "string");

/** An id would take three lines of its narrow column. */
const isOneId = (value: unknown): value is string => typeof value === "string" && /^[a-z]+_[0-9a-z]{26}$/.test(value);

/** Lists with commas, other structures as JSON. */
function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
