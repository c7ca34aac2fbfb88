// Wire schemas of accounts: the record, and the inputs of creating, updating, closing and listing.
import * as z from "zod";
import { accountStatuses, accountTypes } from "@/db/schema/values";
import { addressIn, addressOut } from "@/server/kit/address-fields";
import {
  anyOf,
  currency,
  currencyCode,
  email,
  id,
  idOut,
  line,
  listParameters,
  locale,
  metadata,
  metadataPatch,
  name,
  text,
  timestamp,
  timezone,
  total,
} from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { creditNoteMark } from "./rules";

export const accountId = id("acct", "The account.");
const accountName = name.meta({ example: "Ada's bakery" });
const accountType = z.enum(accountTypes);
const reason = text(limits.reason).meta({ description: "The reason; kept with the record.", example: "moving" });

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "must be a color such as #0b7285")
  .meta({ example: "#0b7285" });

const notificationKey = z
  .string()
  .regex(
    new RegExp(`^[a-z][a-z0-9_.]{0,${limits.notificationName - 1}}$`),
    `names are 1 to ${limits.notificationName} characters of a-z 0-9 _ .`,
  );

const notifications = z
  .record(notificationKey, z.boolean().nullable())
  .refine((value) => Object.keys(value).length <= limits.notifications, `at most ${limits.notifications} keys`)
  .meta({
    description:
      "Which mails its customers receive without being asked, by name: `payment_receipt` when a payment request is paid, `refund_receipt` when money is refunded. Both are on unless they are false.",
  });

/** Plain letters only: two numbers must not look alike, as with Latin and Cyrillic ones. */
const isPrefix = /^[A-Za-z0-9._/#-]+$/;

const numberPrefix = text(limits.invoice.prefix)
  .refine((value) => !/\s/u.test(value), "must not contain spaces")
  .refine((value) => isPrefix.test(value), "must consist of the letters A to Z, a to z, digits and . _ / # -")
  .refine(
    (value) => !value.toUpperCase().endsWith(creditNoteMark),
    `must not end in ${creditNoteMark}, as that of credit notes does`,
  )
  .meta({ example: "INV-" });

const invoiceIn = z
  .strictObject({
    legal_name: line(limits.invoice.legalName).nullish().meta({ description: "By default, the account's name." }),
    address: addressIn.nullish(),
    tax_id: line(limits.taxId).nullish().meta({ example: "ATU12345678" }),
    number_prefix: numberPrefix.nullish(),
    footer: text(limits.invoice.footer).nullish(),
  })
  .meta({
    id: "InvoicePreferencesInput",
    description: "What its invoices say about it. Invoices that have a number keep what they say.",
  });

const invoiceOut = z
  .strictObject({
    legal_name: z.string().nullable(),
    address: addressOut.nullable(),
    tax_id: z.string().nullable(),
    number_prefix: z.string().nullable(),
    footer: z.string().nullable(),
    prefix_conflict: z
      .strictObject({
        account_id: z
          .string()
          .nullable()
          .meta({ description: "The other account; null if the caller does not see it." }),
        account_name: z.string().nullable(),
        proposed_prefix: z.string().meta({ description: "A prefix made for this account from its id." }),
      })
      .meta({ id: "PrefixConflict" })
      .nullable()
      .meta({
        description:
          "Another account of the organization with the same tax number and the same prefix. Only one of them can issue invoices: the first one that does.",
      }),
  })
  .meta({ id: "InvoicePreferences" });

/** Preferences as input: an absent field stays unchanged, null clears it. */
const preferencesIn = z
  .strictObject({
    default_currency: currency.nullish(),
    locale: locale.nullish(),
    timezone: timezone.nullish(),
    statement_descriptor: text(limits.statementDescriptor).nullish(),
    reminder_hour: z
      .int()
      .min(0)
      .max(limits.reminders.lastHour)
      .nullish()
      .meta({
        description: `The hour of the account's day at which planned reminders go; ${limits.reminders.hour} by default. Another hour, or another time zone, moves those that are planned.`,
        example: 8,
      }),
    notifications: notifications.nullish(),
    branding: z.strictObject({ color: color.nullish() }).nullish(),
    invoice: invoiceIn.nullish(),
  })
  .meta({ id: "PreferencesInput" });

const preferencesOut = z
  .strictObject({
    default_currency: currencyCode.nullable(),
    locale: z.string().nullable(),
    timezone: z.string().nullable(),
    statement_descriptor: z.string().nullable(),
    reminder_hour: z.int().nullable(),
    notifications: z.record(z.string(), z.boolean()),
    branding: z.strictObject({
      color: z.string().nullable(),
      logo_url: z
        .string()
        .nullable()
        .meta({
          description: `The address of an image of at most ${limits.logo.width} × ${limits.logo.height} pixels, uploaded in the dashboard. Another image has another address.`,
        }),
    }),
    invoice: invoiceOut,
  })
  .meta({ id: "Preferences" });

const balance = z
  .strictObject({
    currency: currencyCode,
    available: z.int().meta({
      description:
        "What the account may spend: posted money less reserves. Minor units; below zero if a dispute takes back what was spent.",
    }),
    pending: total.meta({ description: "Payments in progress and open card authorizations; not part of available." }),
    held: total.meta({ description: "Reserved for pending refunds and open disputes; not part of available." }),
    held_for_refunds: total.meta({ description: "The part of `held` that pending refunds reserve." }),
    held_for_disputes: total.meta({ description: "The part of `held` that open disputes reserve." }),
  })
  .meta({ id: "Balance" });

export const account = z
  .strictObject({
    account_id: idOut("acct", "The account."),
    organization_id: idOut("org", "The account's organization."),
    account_type: accountType,
    account_name: z.string(),
    email: z.string(),
    preferences: preferencesOut,
    status: z.enum(accountStatuses),
    owner_user_id: idOut("usr", "The user who owns it.").nullable(),
    balances: z.array(balance),
    metadata: z.record(z.string(), z.string()),
    created_at: timestamp,
    updated_at: timestamp,
    closed_at: timestamp.nullable(),
  })
  .meta({ id: "Account", description: "An individual or business account of an organization." });

/** The input fields of every operation that opens an account. */
export const newAccountFields = {
  account_type: accountType,
  account_name: accountName,
  preferences: preferencesIn.nullish(),
};

export const createInput = z
  .strictObject({
    ...newAccountFields,
    email,
    metadata: metadata.nullish(),
    owner_user_id: id("usr", "The user who will own it; admins and API keys only.").nullish(),
  })
  .meta({ id: "CreateAccount" });

export const updateInput = z
  .strictObject({
    account_id: accountId.optional(),
    account_name: accountName.optional(),
    email: email.optional(),
    preferences: preferencesIn.nullish(),
    metadata: metadataPatch.optional(),
    owner_user_id: id(
      "usr",
      "The user who will own it; for admins, and for API keys with the scope `accounts:owner`.",
    ).optional(),
  })
  .meta({ id: "UpdateAccount" });

export const closeInput = z
  .strictObject({ account_id: accountId.optional(), reason: reason.optional() })
  .meta({ id: "CloseAccount" });

export const closedAccount = account
  .extend({
    revoked_tokens: z.int().meta({ description: "Tokens that were live until this call." }),
    canceled_payments: z.int().meta({ description: "Payment requests that were open until this call." }),
  })
  .meta({ id: "ClosedAccount" });

export const listInput = z.strictObject({
  status: anyOf(accountStatuses).optional(),
  account_type: anyOf(accountTypes).optional(),
  email: email.optional(),
  orphaned: z
    .boolean()
    .optional()
    .meta({ description: "Whether it is open, its owner was removed, and it has no other yet.", example: true }),
  in_debt: z
    .boolean()
    .optional()
    .meta({ description: "Whether `available` is below zero in a currency, after a dispute.", example: true }),
  q: text(limits.searchText).optional().meta({
    description: "Beginnings of words of name and e-mail, without regard to case and accents; or a full id.",
    example: "bakery",
  }),
  ...listParameters,
});

export type Account = z.infer<typeof account>;
export type PreferencesIn = z.output<typeof preferencesIn>;
export type AccountFilters = Pick<
  z.output<typeof listInput>,
  "status" | "account_type" | "email" | "orphaned" | "in_debt" | "q"
>;
