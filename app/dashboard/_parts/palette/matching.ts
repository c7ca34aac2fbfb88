// Which actions and pages the search over everything offers for a text.
import { wordsOf } from "@/server/kit/words";

interface Named {
  title: string;
  /** Other words for it, with spaces in between. */
  synonyms?: string | undefined;
}

/** Fewer letters begin many synonyms, and would offer most of the pages. */
const leastOfSynonym = 3;

/** Those whose title or synonyms have every word of the text, or its beginning: those with all in the title first. */
export function matching<Goal extends Named>(goals: readonly Goal[], typed: string): readonly Goal[] {
  if (typed === "") return goals;
  const wanted = wordsOf(typed);
  if (wanted.length === 0) return [];
  const begins = (text: string, part: string) => wordsOf(text).some((word) => word.startsWith(part));
  const isNamed = ({ title }: Goal) => wanted.every((part) => begins(title, part));
  const isMeant = ({ title, synonyms = "" }: Goal) =>
    wanted.every((part) => begins(title, part) || (part.length >= leastOfSynonym && begins(synonyms, part)));
  return goals.filter(isMeant).toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
}
