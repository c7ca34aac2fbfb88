// HTML as values: everything inserted into a template is escaped, unless it is already HTML.

declare const markup: unique symbol;

/** Text that is safe to send as HTML. Only {@link html} creates it. */
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

/** Escapes text for an element's content or a quoted attribute (OWASP XSS prevention, rules 1 and 2). */
const escapeText = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => escapes[character] ?? "") : text;

const isHtml = (part: unknown): part is Html => typeof part === "object" && part !== null && "text" in part;

function render(part: Part): string {
  if (part === null || part === false) return "";
  if (Array.isArray(part)) return part.map(render).join("");
  return isHtml(part) ? part.text : escapeText(String(part));
}

/** The strings of each template without indentation, which only serves readers of the source. */
const trimmed = new WeakMap<TemplateStringsArray, readonly string[]>();

function trim(strings: TemplateStringsArray): readonly string[] {
  let known = trimmed.get(strings);
  if (!known) {
    known = strings.map((string) => string.replace(/\n\s*/g, "\n"));
    trimmed.set(strings, known);
  }
  return known;
}

/** A template with escaped values. Null and false are omitted, lists are joined. Quote every attribute. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const [first = "", ...others] = trim(strings);
  let text = first;
  let endsLine = first.endsWith("\n");
  const add = (piece: string): void => {
    if (piece === "") return;
    // An omitted value leaves no empty line.
    text += endsLine && piece.startsWith("\n") ? piece.slice(1) : piece;
    endsLine = piece.endsWith("\n");
  };
  for (let i = 0; i < others.length; i++) {
    add(render(parts[i] ?? null));
    add(others[i] ?? "");
  }
  return { text } as Html;
}
