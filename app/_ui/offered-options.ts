// Which of the records that were found a picker offers.
import { wordsOf } from "@/server/kit/words";

/** An option of a picker. */
export interface SearchOption {
  value: string;
  label: string;
  /** Further words that it is found by. */
  words?: string | undefined;
}

/** Whether the option has each word of the text, or its beginning, as the search of the server finds words. */
export function isMatch({ label, words }: SearchOption, typed: string): boolean {
  const own = wordsOf(label, words);
  return wordsOf(typed).every((part) => own.some((word) => word.startsWith(part)));
}

/**
 * What may be chosen: all that was found for the text. While that answer is awaited, what was found for an earlier text
 * is offered only where it matches the text of now.
 */
export const offered = <Option extends SearchOption>(
  found: readonly Option[],
  typed: string,
  isAnswered: boolean,
): readonly Option[] => (isAnswered ? found : found.filter((option) => isMatch(option, typed)));
