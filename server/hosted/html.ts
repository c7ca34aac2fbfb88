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
export const escapeText = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => escapes[character] ?? "") : text;

const isHtml = (part: unknown): part is Html => typeof part === "object" && part !== null && "text" in part;

function render(part: Part): string {
  if (part === null || part === false) return "";
  if (Array.isArray(part)) return part.map(render).join("");
  return isHtml(part) ? part.text : escapeText(String(part));
}

/** The strings of each template without their indentation, which is for the reader of the source alone. */
const trimmed = new WeakMap<TemplateStringsArray, readonly string[]>();

function trim(strings: TemplateStringsArray): readonly string[] {
  let known = trimmed.get(strings);
  if (!known) {
    known = strings.map((string) => string.replace(/\n\s*/g, "\n"));
    trimmed.set(strings, known);
  }
  return known;
}

/** A template whose parts are escaped; null and false leave nothing, lists are joined. Quote every attribute. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const [first = "", ...others] = trim(strings);
  let text = first;
  let endsLine = first.endsWith("\n");
  const add = (piece: string): void => {
    if (piece === "") return;
    // A part that leaves nothing leaves no empty line either.
    text += endsLine && piece.startsWith("\n") ? piece.slice(1) : piece;
    endsLine = piece.endsWith("\n");
  };
  for (let i = 0; i < others.length; i++) {
    add(render(parts[i] ?? null));
    add(others[i] ?? "");
  }
  return { text } as Html;
}
