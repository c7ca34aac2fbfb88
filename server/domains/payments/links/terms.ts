// The terms of reusable links: their input, and what is stored of it.
import * as z from "zod";
import type { LineItem } from "@/db/schema/line-values";
import type { CustomAmount } from "@/db/schema/values";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import type { Fail } from "@/server/kit/operation";
import { sumOf } from "../line-sums";
import { isReusable } from "./usage";

/** The quantities that the payer of a reusable link may choose for a line. */
export const adjustableQuantity = z
  .strictObject({
    minimum: z.int().min(1).max(limits.quantity),
    maximum: z.int().min(1).max(limits.quantity),
  })
  .refine(({ minimum, maximum }) => minimum <= maximum, "the minimum must not exceed the maximum")
  .meta({ id: "AdjustableQuantity", description: "Between which quantities each payer of a reusable link chooses." });

const customAmount = z
  .strictObject({
    minimum: fields.amount.meta({ description: "At least about half a euro, because cards are refused for less." }),
    maximum: fields.amount,
    suggested: fields.amount.nullish().meta({ description: "What the pay page proposes, in minor units." }),
  })
  .refine(({ minimum, maximum }) => minimum <= maximum, "the minimum must not exceed the maximum")
  .refine(
    ({ minimum, maximum, suggested }) => suggested == null || (suggested >= minimum && suggested <= maximum),
    "the suggested amount must be between the minimum and the maximum",
  )
  .meta({ id: "CustomAmountInput", description: "Between which amounts each payer chooses, in minor units." });

/** The input fields that make a payment request a reusable link. */
export const linkTerms = {
  usage_limit: z
    .int()
    .min(1)
    .max(limits.links.uses)
    .nullable()
    .optional()
    .meta({
      description:
        "How often it can be paid: once by default, null without limit. With another limit than 1 it is a reusable link, " +
        "and each payer gets a payment request of his or her own.",
    }),
  custom_amount: customAmount.nullish().meta({
    description: "Instead of `amount`, for reusable links: each payer chooses, as for a donation.",
  }),
};

const customAmountOut = z
  .strictObject({ minimum: z.int(), maximum: z.int(), suggested: z.int().nullable() })
  .meta({ id: "CustomAmount" });

/** What a response says about reusable links and their uses. */
export const linkFieldsOut = {
  usage_limit: z
    .int()
    .nullable()
    .meta({
      description:
        "How often it can be paid; null without limit. Of a reusable link, it is not 1: `amount` is the price of one use, " +
        "`amount_due` is 0, and `amount_paid` and `amount_refunded` are the sums over its uses.",
      example: 1,
    }),
  paused: z.boolean().meta({
    description: "Whether the merchant has paused the reusable link: its page takes no payment and says so.",
  }),
  uses_count: z.int().meta({
    description:
      "Of a reusable link: how many uses were paid. It exceeds `usage_limit` if a charge that seemed to have failed " +
      "succeeded after its place had gone to somebody else: `over_limit` of the list finds that use.",
    example: 0,
  }),
  uses_reserved: z.int().meta({
    description: "Of a reusable link: how many places are held by payers whose payment is in progress.",
    example: 0,
  }),
  custom_amount: customAmountOut.nullable(),
  parent_payment_id: fields
    .idOut("pay", "The reusable link that it is a use of; null for any other payment request.")
    .nullable(),
};

interface Line {
  quantity: number;
  adjustable_quantity?: Range | null | undefined;
  discount_amount?: number | null | undefined;
}

interface Input {
  type: string;
  amount?: number | null | undefined;
  usage_limit?: number | null | undefined;
  custom_amount?: z.output<typeof customAmount> | null | undefined;
  line_items?: readonly Line[] | null | undefined;
  allow_partial?: boolean | null | undefined;
  installments?: unknown;
  reminders?: unknown;
  subscription?: { trial_days?: number | null | undefined } | null | undefined;
}

interface Range {
  minimum: number;
  maximum: number;
}

/** What the fields of a reusable link contradict in each other: the field, and what is wrong with it. */
export function linkFaultsOf(input: Input): [field: string, fault: string][] {
  const faults: [string, string][] = [];
  const refuse = (field: string, fault: string) => faults.push([field, fault]);
  const lines = input.line_items ?? [];
  const reusable = isReusable({ usageLimit: input.usage_limit === undefined ? 1 : input.usage_limit });
  const adjustable = lines.findIndex((line) => line.adjustable_quantity != null);
  if (!reusable) {
    const only = "is only for reusable links, whose usage_limit is not 1";
    if (input.custom_amount) refuse("custom_amount", only);
    if (adjustable >= 0) refuse(`line_items[${adjustable}].adjustable_quantity`, only);
    return faults;
  }
  if (input.subscription?.trial_days != null) refuse("subscription.trial_days", "is not allowed for reusable links");
  if (input.type === "invoice") refuse("usage_limit", "must be 1 for invoices");
  for (const field of ["allow_partial", "installments", "reminders"] as const) {
    if (input[field]) refuse(field, "is not allowed for reusable links");
  }
  if (input.custom_amount && input.amount != null) refuse("amount", "is not allowed with custom_amount");
  if (input.custom_amount && lines.length > 0) refuse("line_items", "are not allowed with custom_amount");
  for (const [i, { quantity, adjustable_quantity: range, discount_amount: discount }] of lines.entries()) {
    // It was meant for one quantity, and payers choose another.
    if (range && discount) refuse(`line_items[${i}].discount_amount`, "is not allowed with adjustable_quantity");
    if (range && (quantity < range.minimum || quantity > range.maximum)) {
      refuse(`line_items[${i}].quantity`, "must be within its adjustable_quantity");
    }
  }
  return faults;
}

/** The columns of the terms. Refuses quantities whose sum no payer could pay. */
export function linkColumns(
  { usage_limit: limit, custom_amount: custom }: Pick<Input, "usage_limit" | "custom_amount">,
  lines: readonly LineItem[],
  amount: number | null,
  fail: Fail<"invalid_request">,
) {
  const usageLimit = limit === undefined ? 1 : limit;
  const reusable = isReusable({ usageLimit });
  for (const end of ["minimum", "maximum"] as const) {
    if (!reusable || !lines.some(isAdjustable)) break;
    const chosen = lines.map((line) => ({ ...line, quantity: line.adjustable_quantity?.[end] ?? line.quantity }));
    if ("problem" in sumOf(chosen)) {
      fail("invalid_request", `line_items: with each ${end} quantity, their sum must be from 1 to ${limits.amount}`);
    }
  }
  const customAmount: CustomAmount | null = custom ? { ...custom, suggested: custom.suggested ?? null } : null;
  // Nothing is due for a link itself.
  return { usageLimit, customAmount, isIdle: reusable, amountWaived: reusable ? (amount ?? 0) : 0 };
}

/** Whether the payer chooses the quantity of the line. */
const isAdjustable = (line: LineItem): boolean => line.adjustable_quantity != null;
