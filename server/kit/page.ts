// Keyset paging: newest first by (created_at, id), with a cursor that is sealed and bound to its filters.
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, desc, lt, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Slots } from "@/db/shapes";
import type { ServerKeys } from "./server-key";

export interface Position {
  /** Epoch ms. */
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

/** An opaque cursor for what comes after `position` in the list with these filters. */
export function sealCursor(keys: ServerKeys, filters: unknown, position: Position): string {
  const body = Buffer.from(`${position.createdAt}:${position.id}`);
  return Buffer.concat([mac(keys.current.key, filters, body), body]).toString("base64url");
}

/** The position in a cursor, or null if we did not make it for a list with these filters. */
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

/** The condition for rows that come after the position. */
export const after = ({ createdAt, id }: Keyset, position: Position | Slots<Position> | null): SQL | undefined =>
  position
    ? and(sql`${createdAt} <= ${position.createdAt}`, or(lt(createdAt, position.createdAt), lt(id, position.id)))
    : undefined;

/** Newest first. */
export const newestFirst = ({ createdAt, id }: Keyset): SQL[] => [desc(createdAt), desc(id)];

interface ListInput {
  limit: number;
  cursor?: string | undefined;
  include_total: boolean;
}

export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
  total_count: number | null;
}

/**
 * Answers a list operation: opens the cursor, asks `rows` for one row more than the page has, seals the next cursor.
 * `fail` refuses a cursor that is garbage or belongs to other filters.
 */
export async function pageOf<Row extends Position, Item>(
  keys: ServerKeys,
  input: ListInput,
  fail: (code: "invalid_cursor") => never,
  query: {
    /** The list's name: a cursor belongs to one list. */
    list: string;
    rows(after: Position | null, limit: number): Promise<Row[]>;
    count(): Promise<number>;
    present(rows: Row[]): Item[] | Promise<Item[]>;
  },
): Promise<Page<Item>> {
  const { limit, cursor, include_total, ...given } = input;
  const filters = [query.list, given];
  const position = cursor === undefined ? null : (openCursor(keys, filters, cursor) ?? fail("invalid_cursor"));
  const rows = await query.rows(position, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: await query.present(shown),
    has_more: hasMore,
    next_cursor: hasMore && last ? sealCursor(keys, filters, { createdAt: last.createdAt, id: last.id }) : null,
    total_count: include_total ? await query.count() : null,
  };
}
