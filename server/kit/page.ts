// Keyset paging: newest first by (created_at, id), with a sealed cursor that is bound to its filters.
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, desc, gt, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Slots } from "@/db/shapes";
import type { ServerKeys } from "@/server/process/server-key";
import type { Found } from "./look-through";
import type { Total } from "./totals";

export interface Position {
  /** Epoch milliseconds. */
  createdAt: number;
  id: string;
}

const macBytes = 16;

function mac(key: Buffer, filters: unknown, body: Buffer): Buffer {
  return createHmac("sha256", key)
    .update("cursor|")
    .update(JSON.stringify(filters))
    .update("|")
    .update(body)
    .digest()
    .subarray(0, macBytes);
}

/** Returns an opaque cursor for the rows after `position` in the list with these filters. */
export function sealCursor(keys: ServerKeys, filters: unknown, position: Position): string {
  const body = Buffer.from(`${position.createdAt}:${position.id}`);
  return Buffer.concat([mac(keys.current.key, filters, body), body]).toString("base64url");
}

/** Returns the position in a cursor, or null if it was not issued for this list with these filters. */
export function openCursor(keys: ServerKeys, filters: unknown, cursor: string): Position | null {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length <= macBytes || bytes.toString("base64url") !== cursor) return null;
  const body = bytes.subarray(macBytes);
  const genuine = keys.all.some(({ key }) => timingSafeEqual(bytes.subarray(0, macBytes), mac(key, filters, body)));
  const [createdAt, id] = body.toString().split(":");
  return genuine && createdAt && id ? { createdAt: Number(createdAt), id } : null;
}

interface Keyset {
  createdAt: AnyPgColumn;
  id: AnyPgColumn;
}

/** The condition for rows after the position. */
export const after = ({ createdAt, id }: Keyset, position: Position | Slots<Position> | null): SQL | undefined =>
  position
    ? and(sql`${createdAt} <= ${position.createdAt}`, or(lt(createdAt, position.createdAt), lt(id, position.id)))
    : undefined;

/** The condition for rows at or before the position in list order. */
export const downTo = ({ createdAt, id }: Keyset, position: Position | Slots<Position> | null): SQL | undefined =>
  position
    ? and(sql`${createdAt} >= ${position.createdAt}`, or(gt(createdAt, position.createdAt), gte(id, position.id)))
    : undefined;

/** The sort order: newest first. */
export const newestFirst = ({ createdAt, id }: Keyset): SQL[] => [desc(createdAt), desc(id)];

interface ListInput {
  limit: number;
  cursor?: string | undefined;
  include_total: boolean;
  total_max?: number | undefined;
}

interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
  total_count: number | null;
  total_is_estimate: boolean | null;
}

/**
 * Answers a list operation: opens the cursor, asks `rows` for one row more than the page shows, and seals the next
 * cursor. A page that ended early, by its bytes or its candidates, continues where it ended. `fail` refuses a cursor
 * that is malformed or belongs to other filters.
 */
export async function pageOf<Row extends Position, Item>(
  keys: ServerKeys,
  input: ListInput,
  fail: (code: "invalid_cursor") => never,
  query: {
    /** The list's name: a cursor belongs to one list. */
    list: string;
    /** All rows, or as many as one call may examine. */
    rows(after: Position | null, limit: number): Promise<Row[] | Found<Row>>;
    /** The number of matches. `filters` are the list and its filters, for {@link totalOf}. */
    total(filters: readonly unknown[]): Promise<Total>;
    present(rows: Row[]): Item[] | Promise<Item[]>;
  },
): Promise<Page<Item>> {
  const { limit, cursor, include_total, total_max: most, ...given } = input;
  const filters = [query.list, given];
  const position = cursor === undefined ? null : (openCursor(keys, filters, cursor) ?? fail("invalid_cursor"));
  const found = await query.rows(position, limit + 1);
  const { rows, reached } = Array.isArray(found) ? { rows: found, reached: null } : found;
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1) : reached;
  const total = include_total ? atMost(await query.total(filters), most) : null;
  return {
    data: await query.present(shown),
    has_more: !!next,
    next_cursor: next ? sealCursor(keys, filters, { createdAt: next.createdAt, id: next.id }) : null,
    total_count: total?.count ?? null,
    total_is_estimate: total?.isEstimate ?? null,
  };
}

const atMost = (total: Total, most: number | undefined): Total =>
  most !== undefined && total.count >= most ? { count: most, isEstimate: false } : total;
