// The wire form of postal addresses.
import * as z from "zod";
import type { Address } from "@/db/schema/values";
import { countryCodes } from "./countries";
import { text } from "./fields";
import { limits } from "./limits";

const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166-1 alpha-2 code, such as AT")
  .transform((code) => code.toUpperCase())
  .refine((code) => !/^[A-Z]{2}$/.test(code) || countryCodes.includes(code), {
    error: (issue) => `unknown country ${JSON.stringify(issue.input)}`,
  })
  .meta({
    description: "Officially assigned ISO 3166-1 alpha-2 code, in any case, or `XK` for Kosovo.",
    example: "AT",
  });

const addressLine = text(limits.address.line).nullish();

/** An address as input: null clears a line. */
export const addressIn = z
  .strictObject({
    line1: addressLine,
    line2: addressLine,
    postal_code: text(limits.address.postalCode).nullish(),
    city: addressLine,
    region: addressLine,
    country: country.nullish(),
  })
  .meta({ id: "AddressInput", example: { line1: "Graben 1", postal_code: "1010", city: "Vienna", country: "AT" } });

/** An address in a response. */
export const addressOut = z
  .strictObject({
    line1: z.string().nullable(),
    line2: z.string().nullable(),
    postal_code: z.string().nullable(),
    city: z.string().nullable(),
    region: z.string().nullable(),
    country: z.string().nullable(),
  })
  .meta({ id: "Address" });

const emptyAddress: Address = {
  ...{ line1: null, line2: null, postal_code: null, city: null, region: null, country: null },
};

/** Applies a patch: an absent line stays, null clears. An address without any line is none. */
export function patchedAddress(
  current: Address | null,
  patch: z.output<typeof addressIn> | null | undefined,
): Address | null {
  if (patch === undefined) return current;
  if (patch === null) return null;
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const merged = { ...emptyAddress, ...current, ...given };
  return Object.values(merged).some((value) => value !== null) ? merged : null;
}
