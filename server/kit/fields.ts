// The vocabulary of fields for wire schemas. Bounds come from limits.ts.
import * as z from "zod";
import { currencies, currentCurrencies } from "./currency";
import { limits } from "./limits";
import { spelledZone } from "./time-zones";
import { wordsOf } from "./words";

/**
 * Control characters except tabs and line breaks, and those that change the direction of all following text (UAX 9).
 */
const hasControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/;

/** Only characters that show nothing: spaces, those that Unicode ignores by default (UAX 44), and the blank of Braille. */
const isBlank = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Text of 1 to `max` UTF-16 code units, without control characters, of which something is visible. */
export const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => !isBlank.test(value), "must not be blank")
    .refine((value) => !hasControl.test(value), "must not contain control characters");

/** A name of up to `limits.name` characters on one line: a line break or a tab becomes a space. */
export const name = text(limits.name).transform((value) => value.replace(/[\t\n\r\u0085\u2028\u2029]+/g, " "));

/** Unicode Normalization Form C, in which composed and decomposed spellings are equal. */
const composed = (value: string): string => value.normalize("NFC");

/** An identifier that a caller chooses. Composed and decomposed spellings are one (Unicode NFC). */
export const reference = text(limits.reference)
  .transform(composed)
  .refine((value) => value.length <= limits.reference, `must have at most ${limits.reference} characters`)
  .meta({ description: "Stored in Unicode Normalization Form C.", example: "order-1042" });

/** The same as a filter. */
export const searchedReference = z.string().max(limits.reference).transform(composed).meta({ example: "order-1042" });

/** The same without line breaks and tabs. */
export const line = (max: number) => text(max).refine((value) => !/[\t\n\r]/.test(value), "must be one line");

const wellFormedId = /^[a-z]{2,5}_[0-9a-z]{26}$/;

/** An identifier. A malformed one is not a validation error: it is answered like an unknown one. */
export const id = (prefix: string, description: string) =>
  z
    .string()
    .transform((value) => (wellFormedId.test(value) ? value : "malformed"))
    .meta({ description, example: exampleId(prefix) });

/** An identifier in a response. */
export const idOut = (prefix: string, description: string) =>
  z.string().meta({ description, example: exampleId(prefix) });

const exampleId = (prefix: string) => `${prefix}_01kacz7q4v8n2j5s6t3w9x0y1r`;

/** Control characters, and invisible ones that hide text or change its direction. */
const hasHidden = /[\p{Cc}\p{Cf}]/u;

export const email = z
  .email({ pattern: /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(\.[^\s@<>()[\]\\,;:".]+)+$/u })
  .max(limits.email)
  .refine((value) => !hasHidden.test(value), "must not contain control or invisible characters")
  .meta({ format: "email", example: "ada@example.com" });

/** Normal form of an address, in which different spellings are equal: NFKC, lower case. */
export const foldEmail = (address: string): string => address.normalize("NFKC").toLowerCase();

/** A language tag (BCP 47). */
export const locale = z
  .string()
  .max(limits.languageTag)
  .refine(isLocale, "must be a BCP 47 language tag, such as en or de-AT")
  .meta({ example: "de-AT" });

/** Where an exported CSV file is opened. */
export const spreadsheetLocale = locale.optional().meta({
  description:
    "Writes a CSV file as Excel expects it where this language is written: with a byte-order mark, and with `;` between " +
    "cells and `,` in decimals where numbers have a decimal comma. By default the file follows RFC 4180.",
  example: "de-AT",
});

/** A name of the time zone database of IANA. */
export const timezone = z
  .string()
  .max(limits.timeZone)
  .refine((zone) => spelledZone(zone) !== null, "must be an IANA time zone, such as Europe/Vienna")
  .transform((zone) => spelledZone(zone) ?? zone)
  .meta({ example: "Europe/Vienna" });

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** An amount in integer minor units. */
export const amount = z
  .int("must be a positive integer")
  .min(1, "must be a positive integer")
  .max(limits.amount)
  .meta({ description: "Minor units of the currency.", example: 1250 });

/** An amount in a response, which may be zero. */
export const total = z.int().meta({ description: "Minor units of the currency.", example: 0 });

export const currency = z
  .string()
  .max(limits.currencyCode)
  // Only ASCII letters: some other letters have an ASCII letter as their upper case.
  .transform((code) => code.replace(/[a-z]/g, (letter) => letter.toUpperCase()))
  .refine((code) => Object.hasOwn(currencies, code), {
    error: (issue) => `unknown currency ${JSON.stringify(issue.input)}`,
  })
  .meta({ description: "ISO 4217 alphabetic code, in any case.", example: "EUR" });

/** A currency in which new payments can be requested and received. */
export const currentCurrency = currency
  .refine((code) => !Object.hasOwn(currencies, code) || currentCurrencies.has(code), {
    error: (issue) => `the currency ${JSON.stringify(issue.input)} has been withdrawn`,
  })
  .meta({ description: "ISO 4217 alphabetic code, in any case; none that has been withdrawn.", example: "EUR" });

export const currencyCode = z.string().meta({ description: "ISO 4217 alphabetic code.", example: "EUR" });

/** The first and last instants whose year has four digits in UTC. A time with an offset can lie outside. */
const firstInstant = Date.parse("0000-01-01T00:00:00.000Z");
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

/** An instant in a request, with any offset, parsed to epoch milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 date and time with an offset" })
  .max(limits.instant)
  .transform((value) => Date.parse(value))
  .refine((at) => at >= firstInstant && at <= lastInstant, "is not a date that exists")
  .meta({ id: "Instant", type: "string", format: "date-time", example: "2026-11-20T14:05:00.000Z" });

const dayOrInstant = { error: "must be an ISO 8601 date, or a date and time with an offset" };

/** One end of a period in a list's query: an instant, or a date for midnight UTC, parsed to epoch milliseconds. */
export const instantOrDay = z
  .union([z.iso.date().transform((value) => Date.parse(value)), instant], dayOrInstant)
  .meta({ id: "InstantOrDay", type: "string", example: "2026-11-01" });

/** When something is due: an instant in epoch milliseconds, or a date, whose end in a time zone `dueInstant` gives. */
export const dueDate = z
  .union([z.iso.date(dayOrInstant), instant], dayOrInstant)
  .meta({ id: "DueDate", type: "string", example: "2026-12-20" });

/** When something happened: an instant in epoch milliseconds, or a date, whose begin in a time zone `startInstant` gives. */
export const momentOrDay = z
  .union([z.iso.date(dayOrInstant), instant], dayOrInstant)
  .meta({ id: "MomentOrDay", type: "string", example: "2026-11-20" });

/** A day of a calendar, without a time zone. */
export const day = z.iso
  .date("must be an ISO 8601 date, such as 2026-11-20")
  .meta({ id: "Day", type: "string", format: "date", example: "2026-11-20" });

/** An instant in a response: UTC, milliseconds, `Z`. */
export const timestamp = z.string().meta({ format: "date-time", example: "2026-11-20T14:05:00.000Z" });

const metadataKey = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9_.-]{1,${limits.metadata.key}}$`),
    `keys are 1 to ${limits.metadata.key} characters of A-Z a-z 0-9 _ . -`,
  )
  .refine((key) => !["__proto__", "constructor", "prototype"].includes(key), "this key is not allowed");

/** Composed and decomposed spellings are one (Unicode NFC), as in references. */
const metadataValue = z
  .string()
  .max(limits.metadata.value)
  .transform(composed)
  .refine((value) => value.length <= limits.metadata.value, `must have at most ${limits.metadata.value} characters`);

/** Free text under keys that the caller chooses. */
export const metadata = z
  .record(metadataKey, metadataValue)
  .refine((value) => Object.keys(value).length <= limits.metadata.keys, `at most ${limits.metadata.keys} keys`)
  .meta({ example: { order: "A-1042" } });

/** Metadata in a PATCH: keys are merged, null removes one. */
export const metadataPatch = z
  .record(metadataKey, metadataValue.nullable())
  .refine((value) => Object.keys(value).length <= limits.metadata.keys, `at most ${limits.metadata.keys} keys`)
  .nullable();

export const customerOut = z
  .strictObject({
    name: z.string().nullable(),
    email: z.string().nullable(),
    reference: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: "Customer" });

/** The parameters that every list accepts. */
export const listParameters = {
  limit: z
    .int()
    .min(1)
    .max(limits.page.max)
    .default(limits.page.default)
    .meta({ description: "Rows per page.", example: limits.page.default }),
  cursor: z
    .string()
    .max(limits.cursor)
    .optional()
    .meta({ description: "`next_cursor` of the previous page.", example: "q3V0sBfK1mZx8TgYw2hLrA" }),
  include_total: z
    .boolean()
    .default(false)
    .meta({ description: "Whether to say in `total_count` how many rows match.", example: true }),
  total_max: z
    .int()
    .min(1)
    .optional()
    .meta({ description: "The most that `total_count` says: with this number, more rows may match.", example: 1000 }),
};

/** A page of a list, named after its records. */
export const page = <T extends z.ZodType>(item: T) => {
  const id = item.meta()?.id;
  const schema = z.strictObject({
    data: z.array(item).meta({
      description:
        "Newest first. A page may contain fewer rows than `limit`, or none, although more match: it ends early when its " +
        "rows are very large, and when a filter without an index has examined very many rows. `next_cursor` continues " +
        "where it ended.",
    }),
    has_more: z
      .boolean()
      .meta({ description: "Whether more rows may follow at `next_cursor`, however many this page has." }),
    next_cursor: z.string().nullable(),
    total_count: z
      .int()
      .nullable()
      .meta({
        description:
          "How many rows match: exact up to 1,000, above that an estimate where `total_is_estimate` says so. Only with " +
          "`include_total=true`.",
      }),
    total_is_estimate: z
      .boolean()
      .nullable()
      .meta({
        description:
          "Whether `total_count` is an estimate: rounded to two digits, up to a minute old, and off by up to a third or so " +
          "just above 1,000, less for more rows. Only with `include_total=true`.",
      }),
  });
  return id === undefined ? schema : schema.meta({ id: `${id}Page` });
};

/** A search text with at least one word. */
export const searchText = z
  .string()
  .max(limits.searchText)
  .refine((value) => /[\p{L}\p{N}]/u.test(value) && wordsOf(value).length > 0, "must contain a letter or a digit")
  .refine((value) => wordsOf(value).length <= limits.searchWords, `must have at most ${limits.searchWords} words`)
  .meta({ example: "grace" });

/** A filter that is a comma-separated list in a query and an array elsewhere. */
export const anyOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z
    .array(z.enum(values))
    .min(1)
    .max(values.length)
    .meta({ example: values.slice(0, 2) });
