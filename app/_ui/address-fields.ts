// The lines of a postal address in a form.
import { countryCodes } from "@/server/kit/countries";

export const addressFields = ["line1", "line2", "postal_code", "city", "region", "country"] as const;
export type AddressField = (typeof addressFields)[number];

export const blankAddress: Record<AddressField, string> = {
  ...{ line1: "", line2: "", postal_code: "", city: "", region: "", country: "" },
};

/** Whether the text is the code of a country, or empty. A text that names none was typed and not chosen. */
export const isCountry = (text: string): boolean => text === "" || countryCodes.includes(text);
