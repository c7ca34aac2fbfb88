// Makes texts of users harmless in mails: nothing in a name can become a header, a link or a change of direction.
import { limits } from "@/server/kit/limits";

/** Control characters, line ends, and marks that change the direction of text (UAX 9). */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** Invisible characters that are of no use to readers. */
const invisible = /[\u00ad\u200b\u2060-\u2065\ufeff]+/g;

/** The text on one line, without characters that hide or change what readers see. */
const oneLine = (text: string): string =>
  text.replace(invisible, "").replace(controls, " ").replace(/\s+/g, " ").trim();

/** Like {@link oneLine}, but keeps the lines. */
export const lines = (text: string): string => text.split(/\r?\n/).map(oneLine).join("\n").trim();

/** The beginning of what mail programs decode in a header (RFC 2047): it could hide anything. */
const encodedWord = /=(?=\?)/g;

/** The text as one line of a header: a subject. */
export const headerText = (text: string): string =>
  oneLine(oneLine(text).replace(encodedWord, "= ")).slice(0, limits.mail.subject);

/** The text as the name beside an address, without characters that delimit addresses (RFC 5322, 3.2.3). */
export const senderName = (text: string): string => headerText(text.replace(/["<>\\]/g, " ")).slice(0, limits.name);

/** Where mail programs recognize a link: before a letter, in `example.com`, `https://` and `ada@example.com`. */
const linkPoint = /(?<=\S)[.@:](?=[\p{L}\p{N}/])/gu;

/** An invisible character at which a line does not break. */
const wordJoiner = "\u2060";

/** The text of a name or description on one line, in which mail programs recognize no link. */
export const inert = (text: string): string => oneLine(text).replace(linkPoint, `$&${wordJoiner}`);
