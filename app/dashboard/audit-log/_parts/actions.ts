// The actions of the audit log in words: those of the operations, of background work and of the command line.
import type { useTranslations } from "next-intl";
import type { FilterOption } from "@/app/_ui/filter-field";
import { actionOf } from "@/server/domains/timeline/audit-log";
import { operations } from "@/server/pipeline/operations";

export type Text = ReturnType<typeof useTranslations<"auditLog">>;
type Key = Parameters<Text>[0];

const all = Object.values(operations).flatMap((verbs) => Object.values(verbs));
const summaries = new Map(all.map(({ id, summary }) => [actionOf(id), summary]));

/**
 * The action in words: a text for the dashboard, else the operation's summary. An action that this version does not
 * know is shown by its name.
 */
export function actionText(t: Text, action: string): string {
  const key = `actions.${action}` as Key;
  return t.has(key) ? t(key) : (summaries.get(action) ?? action);
}

/** Operations that leave an entry only when they are refused. */
const readings = new Set(
  all.filter(({ effect, isAudited }) => effect === "read" && isAudited !== true).map(({ id }) => actionOf(id)),
);

/** What the list can be filtered by, in the order of the words. `chosen` is offered in any case. */
export function actionOptions(t: Text, locale: string, chosen: string | undefined): FilterOption[] {
  const domains = t.raw("actions" as Key) as Record<string, Record<string, string>>;
  const known = Object.entries(domains).flatMap(([domain, verbs]) =>
    Object.keys(verbs).map((verb) => `${domain}.${verb}`),
  );
  const offered = new Set([...known, ...summaries.keys()].filter((action) => !readings.has(action)));
  if (chosen !== undefined) offered.add(chosen);
  return [...offered]
    .map((value) => ({ value, label: actionText(t, value) }))
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}
