// Detects passwords that are too easy to guess: common ones, usual variations, and public words about the user.
import common from "./common-passwords.json";

/** What an attacker would try first for this user. */
interface PasswordContext {
  email: string;
  /** The organization's name, if the user belongs to one. */
  organization?: string | null;
}

/** The message for a weak password. */
export const weakPasswordText = "is too common, or consists of words about the user or the organization";

const commonPasswords = new Set([...common.passwords.split(" "), ...common.words.split(" ")]);
const productName = "quittance";

/** Characters used in place of a letter. `1` and `!` may stand for either of two. */
const substitutes: Readonly<Record<string, string>> = {
  ...{ "0": "o", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b" },
  ...{ "@": "a", $: "s", "€": "e", "+": "t" },
};

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();
const lettersOf = (text: string): string => text.replace(/[^\p{L}]/gu, "");

/** Replaces substitute characters by their letters. */
const spelled = (text: string, one: "i" | "l"): string =>
  [...text].map((character) => (/[1!|]/.test(character) ? one : (substitutes[character] ?? character))).join("");

/** The forms of a folded password to look up: as it is, without surrounding characters, with letters restored. */
function formsOf(folded: string): string[] {
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  // The `!` in "p@ssw0rd!" is an ending, the last `$` in "pa$$" is a letter: both readings are tried.
  const bare = [folded, core, folded.replace(/[\d\p{P}]+$/u, "")];
  const spellings = bare.flatMap((text) => [text, spelled(text, "i"), spelled(text, "l")]);
  return [...new Set(spellings)].filter((text) => text !== "");
}

/** The words of a name or an address that are too long to match by chance, longest first. */
function wordsOf({ email, organization }: PasswordContext): string[] {
  const texts = [email, email.slice(0, email.lastIndexOf("@")), organization ?? "", productName].map(fold);
  const words = texts.flatMap((text) => [lettersOf(text), ...text.split(/[^\p{L}]+/u)]);
  return [...new Set(words)].filter((word) => word.length >= 3).sort((a, b) => b.length - a.length);
}

/**
 * Whether a password is too easy to guess: common, also in another case, with usual substitutions or with digits and
 * punctuation around it, or made only of words of the product, the organization and the user (OWASP ASVS 5.0 6.2.4 and
 * 6.2.11, NIST SP 800-63B-4 section 3.1.1.2).
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
