// Which filters of a list's address the server refused.
import { baseOf, keyOf, type ListQuery } from "./list-query";

/** Why a list was refused, as the API reports it. */
export interface FilterRefusal {
  code: string;
  /** For `invalid_request`: `amount_min: must be …; status[0]: …`. */
  text: string;
}

/** The names of the refused filters; empty if the refusal names no filter of this list. */
export function unusableFilters(filters: ListQuery["filters"], { code, text }: FilterRefusal): string[] {
  const fields = code === "invalid_request" ? text.split("; ").map(fieldOf) : [code.replace(/_not_found$/, "_id")];
  return Object.keys(filters).filter((name) => spellings(name).some((spelling) => fields.includes(spelling)));
}

/** `status` of `status[0]: is unknown`. */
const fieldOf = (fault: string): string => (fault.split(": ")[0] ?? "").replace(/\[\d+\]$/, "");

/** A refusal names `metadata[key]` as the address does, or as the parsed field, or refers to all of `metadata`. */
const spellings = (name: string): string[] => [name, baseOf(name), `${baseOf(name)}.${keyOf(name)}`];
