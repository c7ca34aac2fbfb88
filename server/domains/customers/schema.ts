// Wire schemas of customers: the record, and the inputs of creating, updating and listing.
import * as z from "zod";
import { addressIn, addressOut } from "@/server/kit/address-fields";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { metadataFilter } from "@/server/kit/metadata-filter";

export const customerId = fields.id("cus", "The customer.");

export const customer = z
  .strictObject({
    customer_id: fields.idOut("cus", "The customer."),
    account_id: fields.idOut("acct", "The account whose customer it is."),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    address: addressOut.nullable(),
    tax_id: z.string().nullable(),
    reference: z.string().nullable(),
    locale: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    credit: z
      .array(z.strictObject({ currency: fields.currencyCode, amount: fields.total }))
      .meta({ description: "What is left of overpaid amounts that became credit, by currency." }),
    merged_into: fields
      .idOut("cus", "The customer that it was merged into, whose requests and changes are the ones that count.")
      .nullable(),
    created_at: fields.timestamp,
    updated_at: fields.timestamp,
    erased_at: fields.timestamp.nullable().meta({ description: "When its personal data was erased." }),
  })
  .meta({ id: "CustomerRecord", description: "A person or company that an account asks for payments." });

const given = {
  name: fields.name.nullish().meta({ example: "Grace Hopper" }),
  email: fields.email.nullish().meta({ example: "grace@example.com" }),
  phone: fields.text(limits.phone).nullish().meta({ example: "+43 1 5550100" }),
  address: addressIn.nullish(),
  tax_id: fields.text(limits.taxId).nullish().meta({ example: "ATU12345678" }),
  reference: fields.reference.nullish().meta({
    description:
      "Unique within the account. Stored in Unicode Normalization Form C, so that composed and decomposed spellings are one.",
    example: "C-9",
  }),
  locale: fields.locale.nullish(),
};

export const createInput = z
  .strictObject({
    account_id: fields.id("acct", "Whose customer it is; by default the account that the caller acts for.").optional(),
    ...given,
    metadata: fields.metadata.nullish(),
  })
  .meta({ id: "CreateCustomer", description: "At least one of `name`, `email` and `reference` is required." });

export const updateInput = z
  .strictObject({ customer_id: customerId, ...given, metadata: fields.metadataPatch.optional() })
  .meta({ id: "UpdateCustomer" });

const customerFilters = z.strictObject({
  account_id: fields.id("acct", "Only customers of this account.").optional(),
  email: z.string().max(limits.email).optional().meta({ example: "grace@example.com" }),
  reference: fields.searchedReference.optional().meta({ example: "C-9" }),
  metadata: metadataFilter,
  q: fields.searchText.optional().meta({
    description:
      "Prefixes of words in name, e-mail address, reference, phone number and tax number, without regard to case and " +
      "accents; or a full id.",
  }),
});

export const listInput = customerFilters.extend(fields.listParameters);

export type CustomerFilters = z.output<typeof customerFilters>;
export type CustomerRecord = z.input<typeof customer>;
/** The fields that a caller sets, as far as given; null clears one. */
export type GivenFields = Omit<z.output<typeof updateInput>, "customer_id">;
