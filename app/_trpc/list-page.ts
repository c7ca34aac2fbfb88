// One page of a list, as its address describes it, from the list operation.
// const page = await listed(() => caller.transactions.list(listInput(transactionQuery, query)));
import type * as z from "zod";
import { queryFieldsOf } from "@/server/kit/query-fields";
import { readQuery } from "@/server/kit/query-input";
import { failureOf } from "@/server/pipeline/trpc-router";
import { apiQuery, filterQuery, type ListQuery } from "../_ui/list-query";
import type { FilterRefusal } from "../_ui/unusable-filters";

/**
 * The input of a list operation for an address, read as the REST interface reads a query. The operation says how
 * many match. It refuses invalid values itself.
 */
export function listInput<Schema extends z.ZodType>(schema: Schema, query: ListQuery): z.input<Schema> {
  return {
    ...readQuery(apiQuery(query), queryFieldsOf(schema)),
    include_total: true,
  } as z.input<Schema>;
}

/** Only the filters, for an operation that takes neither cursor nor page size. */
export function filterInput<Schema extends z.ZodType>(schema: Schema, { filters }: ListQuery): z.input<Schema> {
  return readQuery(filterQuery(filters), queryFieldsOf(schema)) as z.input<Schema>;
}

/** A page, or why the address has none. */
export type Listed<Page> = { page: Page; refusal: null } | { page: null; refusal: ListRefusal };

/** Why the address has no page: its cursor belongs to another list, or the operation refuses its filters. */
export interface ListRefusal extends FilterRefusal {
  reason: "cursor" | "filters";
}

/** The page, or the refusal if the address is at fault; any other failure is thrown. */
export async function listed<Page>(ask: () => Promise<Page>): Promise<Listed<Page>> {
  try {
    return { page: await ask(), refusal: null };
  } catch (error) {
    const { code, message: text } = failureOf(error);
    // An overlong cursor is refused before it is decoded.
    if (code === "invalid_cursor" || /^cursor: /.test(text)) {
      return { page: null, refusal: { reason: "cursor", code, text } };
    }
    const isAboutFilters = code === "invalid_request" || code.endsWith("_not_found");
    if (isAboutFilters) return { page: null, refusal: { reason: "filters", code, text } };
    throw error;
  }
}
