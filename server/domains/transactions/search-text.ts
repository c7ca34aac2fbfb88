// What a search text can be: an id, words, and amounts.
import { type Beginning, beginning } from "@/db/prefix";
import { isId } from "@/server/kit/ids";
import { searchedAmounts } from "@/server/kit/searched-amount";
import { wordsOf } from "@/server/kit/words";
import { withoutCardPhrase } from "./card-words";

interface TextWords {
  id: string | undefined;
  /** The id of a payment request. */
  searchedPaymentId: string | undefined;
  words: Beginning[];
}

/** What a search text is as an amount. */
export interface TextAmount {
  /** Minor units. */
  amount: number;
  /** The currencies in which it is that. */
  currencies: readonly string[];
}

/**
 * Matches if every word of the text begins a word of the transaction, or if the text is its id or its payment
 * request's.
 */
export function searchedWordsOf(q = ""): TextWords {
  const text = q.trim();
  const id = isId("txn", text) ? text : undefined;
  const searchedPaymentId = isId("pay", text) ? text : undefined;
  const words = id || searchedPaymentId ? [] : withoutCardPhrase(wordsOf(text)).map(beginning);
  return { id, searchedPaymentId, words };
}

/** The amounts that the text can be, whatever sign they have. */
export const amountsOf = (q = ""): TextAmount[] =>
  searchedAmounts(q, { mayBeDigits: true }).map(({ amount, currencies }) => ({ amount, currencies }));
