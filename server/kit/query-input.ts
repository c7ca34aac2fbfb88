// Parses a request's query into the typed input that the operation's schema expects.
import { protocolFailure } from "./errors";
import { limits } from "./limits";
import type { QueryFields, QueryKind } from "./query-fields";
import { checkText } from "./storable-text";

/**
 * Parses `a=1&metadata[key]=v`. A list may be written `status=a,b`, or with its parameter repeated, as several generators
 * of clients do. Other duplicate parameters, bad percent-encoding and bad UTF-8
 * are `invalid_request`.
 */
export function readQuery(query: string, fields: QueryFields): Record<string, unknown> {
  if (query.length > limits.queryBytes) throw protocolFailure("invalid_request", "The query is too long.");
  const input: Record<string, unknown> = {};
  for (const part of query.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const name = decode(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? "" : decode(part.slice(at + 1));
    checkText(name, "a parameter's name");
    checkText(value, name);
    assign(input, name, value, fields);
  }
  return input;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw protocolFailure("invalid_request", "The query is not valid percent-encoded UTF-8.");
  }
}

function assign(input: Record<string, unknown>, name: string, value: string, fields: QueryFields): void {
  const [, base, key] = /^([a-z_]+)\[(.*)\]$/s.exec(name) ?? [];
  if (base !== undefined && key !== undefined && fields.get(base) === "record") {
    const record = new Map(Object.entries((input[base] ?? {}) as Record<string, string>));
    if (record.has(key)) throw protocolFailure("invalid_request", `${name}: is given twice`);
    // The schema of a record would drop this key silently.
    if (key === "__proto__") throw protocolFailure("invalid_request", `${base}.__proto__: unknown field`);
    input[base] = Object.fromEntries(record.set(key, value));
    return;
  }
  if (name === "__proto__") throw protocolFailure("invalid_request", "__proto__: unknown field");
  const kind = fields.get(name);
  if (kind === "record") {
    throw protocolFailure("invalid_request", `${name}: must be written with a key, as in ${name}[key]=value`);
  }
  const earlier = Object.hasOwn(input, name) ? input[name] : undefined;
  if (kind === "list") {
    input[name] = [...((earlier as string[] | undefined) ?? []), ...value.split(",")];
    return;
  }
  if (earlier !== undefined) throw protocolFailure("invalid_request", `${name}: is given twice`);
  input[name] = typed(value, kind);
}

/** Text that does not match the field's type stays unchanged, so that the schema refuses it by name. */
function typed(value: string, kind: Exclude<QueryKind, "list" | "record"> | undefined): unknown {
  switch (kind) {
    case "integer":
      return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    default:
      return value;
  }
}
