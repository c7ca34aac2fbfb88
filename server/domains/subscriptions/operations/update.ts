// PATCH /v1/subscriptions/{subscription_id}: what the coming cycles cost and say.
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { mergeMetadata } from "@/server/domains/accounts/rules";
import { amountOf, completeLine } from "@/server/domains/payments/content";
import { lineItem } from "@/server/domains/payments/input-schema";
import { lineFaultsOf } from "@/server/domains/payments/line-terms";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { type Fail, operation } from "@/server/kit/operation";
import { changeSubscription } from "../change";
import { mailAmountChanged } from "../mails";
import { shownSubscription } from "../present";
import { subscriptionId } from "../schema";
import type { SubscriptionRow } from "../store";
import { check, common, errors, locked } from "./command";

const input = z
  .strictObject({
    subscription_id: subscriptionId,
    amount: fields.amount.optional(),
    line_items: z
      .array(lineItem.omit({ adjustable_quantity: true }).meta({ id: "SubscriptionLineItemInput" }))
      .max(limits.lineItems)
      .optional()
      .meta({
        description:
          "What the new amount is made of; it follows from them. Required beside another `amount` if the current ones state " +
          "taxes; an empty list states none.",
      }),
    confirm_amount: z
      .boolean()
      .default(false)
      .meta({
        description: `Must be true if the new amount is more than ${limits.subscriptionAmountFactor} times the one that was charged last.`,
      }),
    description: fields.text(limits.description).nullish(),
    metadata: fields.metadataPatch.optional(),
  })
  .meta({ id: "UpdateSubscription" });

type Given = Omit<z.output<typeof input>, "subscription_id">;

export const updateSubscriptionFields = operation({
  ...common,
  id: "subscriptions.update",
  summary: "Change a subscription",
  description:
    "A new `amount`, `line_items`, `description` and `metadata` count for the cycles whose payment request does not exist " +
    "yet. The customer gets a mail about another amount, with the date on which it is charged first. The keys of " +
    "`metadata` merge; null removes one.",
  rest: { method: "PATCH", path: "/v1/subscriptions/{subscription_id}", extension: true },
  input,
  errors: { ...errors, amount_mismatch: 400, amount_not_confirmed: 400 },
  async run({ ctx, input: { subscription_id: id, ...given }, fail }) {
    const row = await locked(ctx, id, fail);
    const price = priceOf(row, given, fail);
    const isOtherPrice = price.amount !== row.amount || !isDeepStrictEqual(price.lineItems, row.lineItems);
    if (isOtherPrice) check("change_amount", row, fail);
    const metadata = given.metadata === undefined ? row.metadata : mergeMetadata(row.metadata, given.metadata);
    if (Object.keys(metadata).length > limits.metadata.keys) {
      return fail("invalid_request", `metadata: at most ${limits.metadata.keys} keys`);
    }
    const description = given.description === undefined ? row.description : given.description;
    const changed = Object.keys(given)
      .filter((name) => name !== "confirm_amount")
      .sort();
    const amounts = price.amount === row.amount ? {} : { amount_before: row.amount, amount: price.amount };
    ctx.audit({ target: id, detail: { fields: changed, ...amounts } });
    if (changed.length === 0) return shownSubscription(ctx.db, row);
    const after = await changeSubscription(ctx, row, { ...price, description, metadata }, "updated");
    if (after.amount !== row.amount) await mailAmountChanged(ctx, after, row.amount);
    return shownSubscription(ctx.db, after);
  },
});

type Price = Pick<SubscriptionRow, "amount" | "lineItems">;

/** What the coming cycles cost, and what that is made of. */
function priceOf(
  row: SubscriptionRow,
  { amount: wanted, line_items: lines, confirm_amount: isConfirmed }: Given,
  fail: Fail<"invalid_request" | "amount_mismatch" | "amount_not_confirmed">,
): Price {
  const before = { amount: row.amount, lineItems: row.lineItems };
  if (lines === undefined && (wanted === undefined || wanted === row.amount)) return before;
  if (lines === undefined && row.lineItems.some((line) => line.tax_rate_bp !== null)) {
    return fail("invalid_request", "line_items: are required, because the current ones state taxes; [] states none");
  }
  const [fault] = lines ? lineFaultsOf(lines) : [];
  if (fault) return fail("invalid_request", fault.join(": "));
  const lineItems = (lines ?? []).map(completeLine);
  const given = wanted ?? (lineItems.length === 0 ? row.amount : null);
  const amount = amountOf(given, lineItems, fail);
  if (amount > limits.subscriptionAmountFactor * row.chargedAmount && !isConfirmed) {
    return fail("amount_not_confirmed", `confirm_amount: must be true for ${amount} after ${row.chargedAmount}`);
  }
  return { amount, lineItems };
}
