// The order of what the search over everything found.
import type { Group } from "./choices";

/** Moves the groups and choices to the front that have the typed text as an identifier. The others keep their order. */
export function exactFirst(groups: readonly Group[], typed: string): Group[] {
  const text = typed.toLowerCase();
  const isExact = ({ names = [] }: Group["choices"][number]) => names.some((name) => name?.toLowerCase() === text);
  const first = <T>(all: readonly T[], is: (one: T) => boolean) =>
    all.toSorted((a, b) => Number(is(b)) - Number(is(a)));
  return first(groups, ({ choices }) => choices.some(isExact)).map((group) => ({
    ...group,
    choices: first(group.choices, isExact),
  }));
}
