// Replaces the rows of a list whose address is refused: a cursor of another list, or filters that cannot be used.
import { useTranslations } from "next-intl";
import type { ListRefusal } from "../_trpc/list-page";
import { ButtonLink } from "./button-link";
import type { FilterField } from "./filter-field";
import { baseOf, type ListQuery, listAddress, withoutFilter } from "./list-query";
import { EmptyState } from "./page-frame";
import { unusableFilters } from "./unusable-filters";

interface Props {
  query: ListQuery;
  refusal: ListRefusal;
  fields: readonly FilterField[];
}

export function RefusedList({ query, refusal, fields }: Props) {
  return refusal.reason === "cursor" ? (
    <LostPage query={query} />
  ) : (
    <UnusableFilters query={query} refusal={refusal} fields={fields} />
  );
}

function LostPage({ query }: { query: ListQuery }) {
  const t = useTranslations("list");
  const back = (
    <ButtonLink href={listAddress(query, { cursor: null })} variant="outline">
      {t("newest")}
    </ButtonLink>
  );
  return <EmptyState title={t("staleTitle")} text={t("staleText")} action={back} />;
}

/** Removes the refused filters and keeps the others; removes all if the refusal names none. */
function UnusableFilters({ query, refusal, fields }: Props) {
  const t = useTranslations("list");
  const names = unusableFilters(query.filters, refusal);
  const count = names.length;
  const filters = names.reduce(withoutFilter, count > 0 ? query.filters : {});
  const textOf = (name: string) => {
    const field = fields.find((each) => each.name === baseOf(name));
    return t(`unusable.${field?.kind ?? "text"}`, { label: field?.label ?? name });
  };
  const clear = (
    <ButtonLink href={listAddress(query, { filters })} variant="outline">
      {t("clearUnusable", { count })}
    </ButtonLink>
  );
  const text = names.length > 0 ? names.map((name) => <div key={name}>{textOf(name)}</div>) : t("unusableText");
  return <EmptyState title={t("unusableTitle", { count })} text={text} action={clear} />;
}
