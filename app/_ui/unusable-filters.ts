// Which filters of a list's address the server could not use.
import { baseOf, keyOf, type ListQuery } from "./list-query";

/** Why a list was refused, as the API says it. */
export interface FilterRefusal {
  code: string;
  /** For `invalid_request`: `amount_min: must be …; status[0]: …`. */
  text: string;
}

/** The names of the filters that a refusal is about; none if it names no filter of this list. */
export function unusableFilters(filters: ListQuery["filters"], { code, text }: FilterRefusal): string[] {
  const fields = code === "invalid_request" ? text.split("; ").map(fieldOf) : [code.replace(/_not_found$/, "_id")];
  return Object.keys(filters).filter((name) => spellings(name).some((spelling) => fields.includes(spelling)));
}

/** `status` of `status[0]: is unknown`. */
const fieldOf = (fault: string): string => (fault.split(": ")[0] ?? "").replace(/\[\d+\]$/, "");

/** A refusal spells `metadata[key]` as the address does, as the field it becomes, or means all of `metadata`. */
const spellings = (name: string): string[] => [name, baseOf(name), `${baseOf(name)}.${keyOf(name)}`];
