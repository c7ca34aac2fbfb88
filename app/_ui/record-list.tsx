// A page with one list: heading and action, tabs, filters and active filters, rows or an empty state, paging.
// const query = readListQuery(shape, await searchParams);
// const answer = await listed(() => caller.x.list(listInput(schema, query)));
// <RecordList query={query} answer={answer} reader={reader} title={t("title")} empty={…} filters={fields}
//   columns={columns} rowKey={(row) => row.id} rowHref={(row) => `${path}/${row.id}`} exportPath={`${path}/export`} />
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Listed } from "../_trpc/list-page";
import { ButtonLink } from "./button-link";
import { DataTable, type TableProps } from "./data-table";
import { DisplayMenu } from "./display-menu";
import { ExportLink } from "./export-link";
import { FilterBar } from "./filter-bar";
import { FilterChips, type FilterSuggestion } from "./filter-chips";
import type { FilterField, FilterReader } from "./filter-field";
import { ListAreaProvider } from "./list-area";
import classes from "./list-area.module.css";
import { isFiltered, type ListQuery, listAddress } from "./list-query";
import { totalOf } from "./list-total";
import { Card, EmptyState, PageHead } from "./page-frame";
import { PageLinks } from "./page-links";
import { RefusedList } from "./refused-list";
import { SelectionBar } from "./selection-bar";

interface Page<Row> {
  data: readonly Row[];
  next_cursor: string | null;
  total_count: number | null;
  total_is_estimate: boolean | null;
}

interface Props<Row> extends Omit<TableProps<Row>, "label" | "rows" | "highlight"> {
  query: ListQuery;
  answer: Listed<Page<Row>>;
  reader: FilterReader;
  title: string;
  action?: ReactNode;
  /** Between the heading and the filters, such as TabLinks. */
  tabs?: ReactNode;
  /** Shown when there are no records at all. */
  empty: { title: string; text: string };
  filters: readonly FilterField[];
  /** A filter worth adding, beside the number of matches. */
  suggestion?: FilterSuggestion | undefined;
  /** The address of the export; without it, there is none. */
  exportPath?: string;
  /** Actions on the selected rows: client components that read useListArea(). Needs `selectName`. */
  selectionActions?: ReactNode;
}

export function RecordList<Row>(props: Props<Row>) {
  const { query, answer, reader, title, action, tabs, empty, filters, suggestion, exportPath, ...others } = props;
  const { selectionActions, ...table } = others;
  const { page, refusal } = answer;
  const rows = page?.data ?? [];
  const total = page && totalOf(page);
  // Without a full count, no action applies to all matches.
  const selectable = total === null || total.isEstimate ? null : total.count;
  const isEmpty = page !== null && rows.length === 0;
  const isUnfinished = isEmpty && page.next_cursor !== null;
  const hasNothing = isEmpty && !isUnfinished && !isFiltered(query) && query.cursor === null;
  const columns = table.columns.filter(({ key }) => query.columns.includes(key));
  return (
    <ListAreaProvider query={query} ids={rows.map(table.rowKey)} total={selectable}>
      <PageHead title={title} action={hasNothing ? undefined : action} isOverList />
      {tabs}
      {!hasNothing && (
        <>
          <FilterBar title={title} fields={filters} reader={reader}>
            <DisplayMenu columns={table.columns.map(({ key, label }) => ({ key, label }))} />
            {exportPath !== undefined && !refusal && (
              <ExportLink path={exportPath} query={query} locale={reader.locale} />
            )}
          </FilterBar>
          <FilterChips
            query={query}
            fields={filters}
            reader={reader}
            total={total}
            suggestion={suggestion}
            isUsable={refusal === null}
          />
        </>
      )}
      <div className={classes.rows}>
        <Card>
          {refusal && <RefusedList query={query} refusal={refusal} fields={filters} />}
          {hasNothing && <EmptyState {...empty} action={action} />}
          {isUnfinished && <NoMatchYet />}
          {isEmpty && !isUnfinished && !hasNothing && <NoMatch query={query} />}
          {rows.length > 0 && (
            <>
              {selectionActions && <SelectionBar>{selectionActions}</SelectionBar>}
              <DataTable {...table} label={title} columns={columns} rows={rows} highlight={query.highlight} />
            </>
          )}
        </Card>
      </div>
      {page && <PageLinks query={query} title={title} rows={rows.length} total={total} next={page.next_cursor} />}
    </ListAreaProvider>
  );
}

/** One call scans a bounded number of records; the link to older ones continues from there. */
function NoMatchYet() {
  const t = useTranslations("list");
  return <EmptyState title={t("notYetTitle")} text={t("notYetText")} />;
}

function NoMatch({ query }: { query: ListQuery }) {
  const t = useTranslations("list");
  const clear = (
    <ButtonLink href={listAddress(query, { filters: {} })} variant="outline">
      {t("clearAll")}
    </ButtonLink>
  );
  return <EmptyState title={t("nothingTitle")} text={t("nothingText")} action={clear} />;
}
