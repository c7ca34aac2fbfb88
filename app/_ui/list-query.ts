// A list as its address asks for it. The address is the only state of a list: filters as the API spells them, cursor,
// page size, columns. const query = readListQuery(shape, await searchParams); listAddress(query, { cursor }) leads on.

/** Page sizes that can be chosen; the first is the one without choice. */
export const pageSizes = [20, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];

/** What a list can be asked for. */
export interface ListShape {
  /** The page's path. */
  path: string;
  /** The API's filters, by name; `metadata` also stands for each `metadata[key]`. */
  filters: readonly string[];
  /** All columns, in their order. */
  columns: readonly string[];
  /** The columns without choice; all by default. */
  usual?: readonly string[];
  /** The filter that tabs choose, and its value in each: a tab is no chip, and stays when filters are cleared. */
  tabs?: { filter: string; values: readonly string[] };
}

/** What the address of a list says. Plain data: it can be handed to client components. */
export interface ListQuery {
  shape: ListShape;
  /** By the parameter's name, as the API reads it: `status` → `paid,refunded`, `metadata[order]` → `7`. */
  filters: Readonly<Record<string, string>>;
  limit: PageSize;
  columns: readonly string[];
  cursor: string | null;
  /** The row that one comes back from. */
  highlight: string | null;
}

/** Search parameters as Next gives them. */
export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/** The columns that a list shows without choice. */
export const usualColumns = ({ usual, columns }: ListShape): readonly string[] => usual ?? columns;

/** Reads the search parameters of a list's address; what means nothing to the list is left out. */
export function readListQuery(shape: ListShape, search: SearchParams): ListQuery {
  const filters: Record<string, string> = {};
  for (const name of Object.keys(search)) {
    const text = textOf(search, name);
    if (text !== "" && shape.filters.includes(baseOf(name))) filters[name] = text;
  }
  const limit = pageSizes.find((size) => String(size) === textOf(search, "limit")) ?? pageSizes[0];
  const chosen = textOf(search, "columns").split(",");
  const columns = shape.columns.filter((column) => chosen.includes(column));
  return {
    shape,
    filters,
    limit,
    columns: columns.length > 0 ? columns : usualColumns(shape),
    cursor: textOf(search, "cursor") || null,
    highlight: textOf(search, "highlight") || null,
  };
}

export type ListChange = Partial<Pick<ListQuery, "filters" | "limit" | "columns" | "cursor">>;

/** The address of the list with some of it changed. Other filters or another page size begin at the first page. */
export function listAddress(query: ListQuery, change: ListChange = {}): string {
  const isSameList = change.filters === undefined && change.limit === undefined;
  const next = { ...query, cursor: isSameList ? query.cursor : null, ...change };
  const search = searchOf([
    ...Object.entries(next.filters),
    ["limit", next.limit === pageSizes[0] ? "" : String(next.limit)],
    ["columns", sameColumns(next.columns, usualColumns(query.shape)) ? "" : next.columns.join(",")],
    ["cursor", next.cursor ?? ""],
  ]);
  return search === "" ? query.shape.path : `${query.shape.path}?${search}`;
}

/** The query of the API's list operation for this page of the list. */
export function apiQuery({ filters, limit, cursor }: ListQuery): string {
  return searchOf([...Object.entries(filters), ["limit", String(limit)], ["cursor", cursor ?? ""]]);
}

/** The same filters as a query of their own. */
export const filterQuery = (filters: ListQuery["filters"]): string => searchOf(Object.entries(filters));

/** What is exported of the list: all that matches, in the columns that are shown. */
export function exportQuery({ filters, columns }: ListQuery): string {
  return searchOf([...Object.entries(filters), ["columns", columns.join(",")]]);
}

/** The filters without one of them. */
export function withoutFilter(filters: ListQuery["filters"], name: string): ListQuery["filters"] {
  return Object.fromEntries(Object.entries(filters).filter(([other]) => other !== name));
}

/** The filters without those that people added: what the tab says. */
export function tabFilters({ shape: { tabs }, filters }: ListQuery): ListQuery["filters"] {
  const value = tabs && filters[tabs.filter];
  return tabs && value !== undefined && tabs.values.includes(value) ? { [tabs.filter]: value } : {};
}

/** The names of the filters that people added to the tab. */
export function addedFilters(query: ListQuery): string[] {
  const tab = tabFilters(query);
  return Object.keys(query.filters).filter((name) => !Object.hasOwn(tab, name));
}

/** Whether anything narrows the list. */
export const isFiltered = ({ filters }: ListQuery): boolean => Object.keys(filters).length > 0;

/** `metadata` of `metadata[key]`; other names are their own. */
export const baseOf = (name: string): string => /^([a-z_]+)\[.+\]$/s.exec(name)?.[1] ?? name;

/** `key` of `metadata[key]`. */
export const keyOf = (name: string): string => /^[a-z_]+\[(.+)\]$/s.exec(name)?.[1] ?? "";

/** A parameter that stands there several times, as forms without scripts send it, is a comma list. */
function textOf(search: SearchParams, name: string): string {
  const value = search[name];
  return Array.isArray(value) ? value.filter((text) => text !== "").join(",") : (value ?? "");
}

/** Parameters with a value, spelled so that people can read them. */
function searchOf(parameters: readonly (readonly [string, string])[]): string {
  return parameters
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${spelled(name)}=${spelled(value)}`)
    .join("&");
}

/** These mean nothing to a query, so they stand as they are. */
const readable: Readonly<Record<string, string>> = { "%2C": ",", "%3A": ":", "%40": "@", "%5B": "[", "%5D": "]" };

function spelled(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(2C|3A|40|5B|5D)/g, (code) => readable[code] ?? code);
}

const sameColumns = (a: readonly string[], b: readonly string[]) => a.join() === b.join();
