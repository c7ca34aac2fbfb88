// A list as its address describes it. The address is the only state of a list: filters as the API names them, cursor,
// page size, columns. const query = readListQuery(shape, await searchParams); listAddress(query, { cursor }) is the
// next page.
import type { ListDisplay, ListName } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";

/** The page sizes; the first is the default. */
export const pageSizes = [limits.page.default, 50, limits.page.max] as const;
type PageSize = (typeof pageSizes)[number];

/** The id of the number of matches, which gets the focus if the focused control disappears with a change of the list. */
export const focusPlace = "list-count";

/** What the address of a list may contain. */
export interface ListShape {
  /** The list, where the reader can choose its columns and save views of it. */
  list?: ListName;
  /** The page's path. */
  path: string;
  /** The API's filters, by name; `metadata` also covers each `metadata[key]`. */
  filters: readonly string[];
  /** All columns, in their order. */
  columns: readonly string[];
  /** The default columns; all if absent. */
  defaults?: readonly string[];
  /** The default page size; the smallest if absent. */
  rows?: PageSize;
  /** The filters that each tab sets. They are not shown as active filters, and are never cleared. */
  tabs?: readonly ListQuery["filters"][];
}

/** Where a page begins: its cursor, and the number of its first row. */
interface PageStart {
  cursor: string;
  from: number;
}

/** The page of a list that an address shows. */
type PagePlace = Pick<ListQuery, "cursor" | "from" | "newer">;

export const firstPage: PagePlace = { cursor: null, from: 1, newer: [] };

/** The parsed address of a list. Plain data: it can be passed to client components. */
export interface ListQuery {
  shape: ListShape;
  /** By parameter name, as the API reads it: `status` → `paid,refunded`, `metadata[order]` → `7`. */
  filters: Readonly<Record<string, string>>;
  limit: PageSize;
  columns: readonly string[];
  cursor: string | null;
  /** The number of the page's first row, from 1; null if the address does not say. */
  from: number | null;
  /** The pages between the first page and this one, newest first; only the last few of many. */
  newer: readonly PageStart[];
  /** The row of the record that the reader returns from. */
  highlight: string | null;
}

/** Search parameters as Next gives them. */
export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/** The columns that a list shows by default. */
const defaultColumns = ({ defaults, columns }: ListShape): readonly string[] => defaults ?? columns;

/** The shape with the columns and the page size as defaults that the reader chose last. */
export function asChosen(shape: ListShape, displays: Partial<Record<ListName, ListDisplay>>): ListShape {
  const chosen = shape.list && displays[shape.list];
  if (!chosen) return shape;
  const columns = shape.columns.filter((column) => chosen.columns.includes(column));
  const rows = pageSizes.find((size) => size === chosen.rows) ?? pageSizes[0];
  return { ...shape, defaults: columns.length > 0 ? columns : defaultColumns(shape), rows };
}

/** The page size that a list has by default. */
const defaultRows = ({ rows = pageSizes[0] }: ListShape): PageSize => rows;

/** Reads the search parameters of a list's address; unknown parameters are ignored. */
export function readListQuery(shape: ListShape, search: SearchParams): ListQuery {
  const filters: Record<string, string> = {};
  for (const name of Object.keys(search)) {
    const text = textOf(search, name);
    if (text !== "" && shape.filters.includes(baseOf(name))) filters[name] = text;
  }
  const limit = pageSizes.find((size) => String(size) === textOf(search, "limit")) ?? defaultRows(shape);
  const chosen = textOf(search, "columns").split(",");
  const columns = shape.columns.filter((column) => chosen.includes(column));
  return {
    shape,
    filters,
    limit,
    columns: columns.length > 0 ? columns : defaultColumns(shape),
    ...placeOf(search),
    highlight: textOf(search, "highlight") || null,
  };
}

/** A page begins at a cursor; without one it is the first. Rows and earlier pages are only what the links showed. */
function placeOf(search: SearchParams): PagePlace {
  const cursor = textOf(search, "cursor");
  if (cursor === "") return firstPage;
  const starts = textOf(search, "newer").split(",").slice(-limits.rememberedPages);
  return {
    cursor,
    from: rowNumber(textOf(search, "from")),
    newer: starts.flatMap((start) => {
      const [, row = "", at] = /^(\d+):([\w-]+)$/.exec(start) ?? [];
      const from = rowNumber(row);
      return at === undefined || from === null ? [] : [{ cursor: at, from }];
    }),
  };
}

/** A number of at most nine digits above zero. */
const rowNumber = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);

type ListChange = Partial<Pick<ListQuery, "filters" | "limit" | "columns" | keyof PagePlace>>;

/** The address of the list with some changes. Other filters or another page size start at the first page. */
export function listAddress(query: ListQuery, change: ListChange = {}): string {
  const isSameList = change.filters === undefined && change.limit === undefined;
  const next = { ...query, ...(isSameList ? {} : firstPage), ...change };
  const place = next.cursor === null ? firstPage : next;
  const search = searchOf([
    ...Object.entries(next.filters),
    ["limit", next.limit === defaultRows(query.shape) ? "" : String(next.limit)],
    ["columns", sameColumns(next.columns, defaultColumns(query.shape)) ? "" : next.columns.join(",")],
    ["cursor", place.cursor ?? ""],
    ["from", place.cursor === null ? "" : String(place.from ?? "")],
    ["newer", place.newer.map(({ from, cursor }) => `${from}:${cursor}`).join(",")],
  ]);
  return search === "" ? query.shape.path : `${query.shape.path}?${search}`;
}

/** The page after one of `rows` rows, which begins at `cursor`. */
export function olderPage({ cursor: here, from, newer }: ListQuery, rows: number, cursor: string): PagePlace {
  if (from === null) return { cursor, from, newer: [] };
  const passed = here === null ? [] : [...newer, { cursor: here, from }];
  return { cursor, from: from + rows, newer: passed.slice(-limits.rememberedPages) };
}

/** The page before this one; null if the address does not lead to it. */
export function newerPage({ from, newer, limit }: ListQuery): PagePlace | null {
  const before = newer.at(-1);
  if (before) return { ...before, newer: newer.slice(0, -1) };
  return from !== null && from <= limit + 1 ? firstPage : null;
}

/** The query of the API's list operation for this page of the list. */
export function apiQuery({ filters, limit, cursor }: ListQuery): string {
  return searchOf([...Object.entries(filters), ["limit", String(limit)], ["cursor", cursor ?? ""]]);
}

/** The same filters as a query string. */
export const filterQuery = (filters: ListQuery["filters"]): string => searchOf(Object.entries(filters));

/** The query of an export: all matches, in the visible columns, for the spreadsheets of the reader's region. */
export function exportQuery({ filters, columns }: ListQuery, locale: string): string {
  return searchOf([...Object.entries(filters), ["columns", columns.join(",")], ["spreadsheet_locale", locale]]);
}

/** Whether two lists have the same filters. */
export function sameFilters(a: ListQuery["filters"], b: ListQuery["filters"]): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

const fixedDates = ["created_from", "created_to", "settled_from", "settled_to", "ends_before"];

/** Whether the filters name days, which stay the same as time passes. */
export const hasFixedDates = (filters: ListQuery["filters"]): boolean =>
  fixedDates.some((name) => filters[name] !== undefined);

/** The filters that compare amounts: minor units, so only those of one currency can be compared. */
const amountBounds = ["amount_min", "amount_max"];

/** The filters without one of them. Bounds of amounts mean nothing without their currency. */
export function withoutFilter(filters: ListQuery["filters"], name: string): ListQuery["filters"] {
  const dropped = name === "currency" ? [name, ...amountBounds] : [name];
  return Object.fromEntries(Object.entries(filters).filter(([other]) => !dropped.includes(other)));
}

/** The filters, with this currency if they bound amounts and name none: an amount is always in one currency. */
export function inOneCurrency(filters: ListQuery["filters"], currency: string): ListQuery["filters"] {
  const hasBound = amountBounds.some((name) => filters[name] !== undefined);
  return hasBound && filters["currency"] === undefined ? { currency, ...filters } : filters;
}

/** The filters that the tab sets, without those that the reader added. */
export function tabFilters({ shape: { tabs }, filters }: ListQuery): ListQuery["filters"] {
  return tabs?.find((tab) => Object.entries(tab).every(([name, value]) => filters[name] === value)) ?? {};
}

/** The names of the filters that the reader added to the tab. */
export function addedFilters(query: ListQuery): string[] {
  const tab = tabFilters(query);
  return Object.keys(query.filters).filter((name) => !Object.hasOwn(tab, name));
}

/** Whether any filter is set. */
export const isFiltered = ({ filters }: ListQuery): boolean => Object.keys(filters).length > 0;

/** `metadata` for `metadata[key]`; any other name is returned as it is. */
export const baseOf = (name: string): string => /^([a-z_]+)\[.+\]$/s.exec(name)?.[1] ?? name;

/** `key` for `metadata[key]`. */
export const keyOf = (name: string): string => /^[a-z_]+\[(.+)\]$/s.exec(name)?.[1] ?? "";

/** A repeated parameter, as forms without scripts send it, becomes a comma-separated list. */
function textOf(search: SearchParams, name: string): string {
  const value = search[name];
  return Array.isArray(value) ? value.filter((text) => text !== "").join(",") : (value ?? "");
}

/** Parameters with a value, encoded so that people can read them. */
function searchOf(parameters: readonly (readonly [string, string])[]): string {
  return parameters
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${spelled(name)}=${spelled(value)}`)
    .join("&");
}

/** These characters have no meaning in a query, so they are not encoded. */
const readable: Readonly<Record<string, string>> = { "%2C": ",", "%3A": ":", "%40": "@", "%5B": "[", "%5D": "]" };

function spelled(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(2C|3A|40|5B|5D)/g, (code) => readable[code] ?? code);
}

const sameColumns = (a: readonly string[], b: readonly string[]) => a.join() === b.join();
