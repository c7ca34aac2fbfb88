// What is wrong with a field, in plain words, for both a body and a query.
import type * as z from "zod";

type Issue = z.core.$ZodRawIssue;

/**
 * Which values each expected type has. All numbers of the API are integers. A query has only texts, so no message names
 * the type that was received.
 */
const types: Readonly<Record<string, string>> = {
  string: "must be a text",
  number: "must be a whole number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  tuple: "must be a list",
  object: "must be an object",
  record: "must be an object",
  null: "must be null",
  never: "must be left out",
};

/** The units in which the sizes of texts and lists are counted. */
const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

const formats: Readonly<Record<string, string>> = {
  email: "must be an e-mail address",
  url: "must be a URL",
  date: "must be an ISO 8601 date",
  datetime: "must be an ISO 8601 date and time",
};

/** `must have at most 200 characters`, or `must be at least 1` for a number. */
function bounded(words: string, bound: bigint | number, origin: string): string {
  const unit = units[origin];
  return unit === undefined
    ? `must be ${words} ${bound}`
    : `must have ${words} ${bound} ${unit[Number(bound) === 1 ? 0 : 1]}`;
}

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.length > 1 ? "one of " : ""}${values.join(", ")}`;

/**
 * The message of an issue for which the schema has none of its own: what the field must be. Undefined leaves the message
 * to zod.
 */
export function plainWords(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : types[issue.expected];
    case "invalid_value":
      return issue.input === undefined ? "is required" : oneOf(issue.values);
    case "too_small":
      return issue.origin in units && Number(issue.minimum) === 1
        ? "must not be empty"
        : bounded("at least", issue.minimum, issue.origin);
    case "too_big":
      return bounded("at most", issue.maximum, issue.origin);
    case "invalid_format":
      return formats[issue.format];
    default:
      return undefined;
  }
}
