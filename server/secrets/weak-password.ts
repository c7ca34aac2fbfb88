// Which passwords are too easily guessed: common ones, their usual variations, and what anyone knows about the user.
import common from "./common-passwords.json";

/** What an attacker tries first for this user. */
export interface PasswordContext {
  email: string;
  /** The organization's name, where the user belongs to one. */
  organization?: string | null;
}

/** The message for a weak password. */
export const weakPasswordText =
  "is among the most common passwords, or made of words that anyone knows about the user and the organization";

const commonPasswords = new Set([...common.passwords.split(" "), ...common.words.split(" ")]);
const productName = "quittance";

/** Characters that people write for a letter; `1` and `!` may mean either of two. */
const substitutes: Readonly<Record<string, string>> = {
  ...{ "0": "o", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b" },
  ...{ "@": "a", $: "s", "€": "e", "+": "t" },
};

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();
const lettersOf = (text: string): string => text.replace(/[^\p{L}]/gu, "");

/** The text with letters in place of the characters that stand for them. */
const spelled = (text: string, one: "i" | "l"): string =>
  [...text].map((character) => (/[1!|]/.test(character) ? one : (substitutes[character] ?? character))).join("");

/** A folded password in the forms that are looked up: as it is, without the characters around its word, spelled out. */
function formsOf(folded: string): string[] {
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  // Of "p@ssw0rd!" the last character is an ending, of "pa$$" it is a letter: both are tried.
  const bare = [folded, core, folded.replace(/[\d\p{P}]+$/u, "")];
  const spellings = bare.flatMap((text) => [text, spelled(text, "i"), spelled(text, "l")]);
  return [...new Set(spellings)].filter((text) => text !== "");
}

/** The words of a name or an address that are long enough to be told from chance, the longest first. */
function wordsOf({ email, organization }: PasswordContext): string[] {
  const texts = [email, email.slice(0, email.lastIndexOf("@")), organization ?? "", productName].map(fold);
  const words = texts.flatMap((text) => [lettersOf(text), ...text.split(/[^\p{L}]+/u)]);
  return [...new Set(words)].filter((word) => word.length >= 3).sort((a, b) => b.length - a.length);
}

/**
 * Whether a password is too easily guessed: a common one, also in other case, with common substitutions or with digits
 * and punctuation around it, or made of nothing but the product's, the organization's and the user's own words (OWASP
 * ASVS 5.0 6.2.4 and 6.2.11, NIST SP 800-63B-4 section 3.1.1.2).
 */
export function isWeakPassword(password: string, context: PasswordContext): boolean {
  const folded = fold(password);
  if (folded === fold(context.email)) return true;
  const words = wordsOf(context);
  return formsOf(folded).some((form) => {
    if (commonPasswords.has(form)) return true;
    const letters = lettersOf(form);
    const rest = words.reduce((text, word) => text.replaceAll(word, ""), letters);
    return rest !== letters && (rest === "" || commonPasswords.has(rest));
  });
}
