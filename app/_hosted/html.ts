// HTML as values: whatever is put into a template is escaped, unless it is HTML itself.

declare const markup: unique symbol;

/** Text that is safe to send as HTML. Only {@link html} makes it. */
export interface Html {
  readonly [markup]: true;
  readonly text: string;
}

type Part = Html | string | number | null | false | readonly Part[];

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element's content or a quoted attribute (OWASP XSS prevention, rules 1 and 2). */
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");

const isHtml = (part: unknown): part is Html => typeof part === "object" && part !== null && "text" in part;

function render(part: Part): string {
  if (part === null || part === false) return "";
  if (Array.isArray(part)) return part.map(render).join("");
  return isHtml(part) ? part.text : escapeText(String(part));
}

/** A template whose parts are escaped; null and false leave nothing, lists are joined. Quote every attribute. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = strings.map((string, i) => string + (i < parts.length ? render(parts[i] ?? null) : "")).join("");
  return { text: text.replace(/\n\s*/g, "\n") } as Html;
}
