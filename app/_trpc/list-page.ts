// A page of a list as its address asks for it, from the operation that lists.
// const page = await listed(() => caller.transactions.list(listInput(transactionQuery, query)));
import type * as z from "zod";
import { queryFieldsOf, readQuery } from "@/server/kit/query-input";
import { failureOf } from "@/server/router";
import { countedRows } from "../_ui/counted-rows";
import { apiQuery, filterQuery, type ListQuery } from "../_ui/list-query";
import type { FilterRefusal } from "../_ui/unusable-filters";

/**
 * The input of a list operation for what the address asks, read as the REST interface reads a query, with a count of
 * what matches as far as a reader wants to know it. The operation itself refuses what makes no sense.
 */
export function listInput<Schema extends z.ZodType>(schema: Schema, query: ListQuery): z.input<Schema> {
  return {
    ...readQuery(apiQuery(query), queryFieldsOf(schema)),
    include_total: true,
    total_max: countedRows + 1,
  } as z.input<Schema>;
}

/** The same filters alone, for an operation that takes neither page nor size. */
export function filterInput<Schema extends z.ZodType>(schema: Schema, { filters }: ListQuery): z.input<Schema> {
  return readQuery(filterQuery(filters), queryFieldsOf(schema)) as z.input<Schema>;
}

/** A page, or why the address leads to none. */
export type Listed<Page> = { page: Page; refusal: null } | { page: null; refusal: ListRefusal };

/** A cursor of another list, or filters that the operation refuses, with what it said of them. */
export interface ListRefusal extends FilterRefusal {
  reason: "cursor" | "filters";
}

/** The page, or the refusal of an address that asks for what is not there; anything else is thrown. */
export async function listed<Page>(ask: () => Promise<Page>): Promise<Listed<Page>> {
  try {
    return { page: await ask(), refusal: null };
  } catch (error) {
    const { code, message: text } = failureOf(error);
    // A cursor that is too long to be one is refused before it is opened.
    if (code === "invalid_cursor" || /^cursor: /.test(text)) {
      return { page: null, refusal: { reason: "cursor", code, text } };
    }
    const isAboutFilters = code === "invalid_request" || code.endsWith("_not_found");
    if (isAboutFilters) return { page: null, refusal: { reason: "filters", code, text } };
    throw error;
  }
}
