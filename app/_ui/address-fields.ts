// The lines of a postal address in a form.

export const addressFields = ["line1", "line2", "postal_code", "city", "region", "country"] as const;
export type AddressField = (typeof addressFields)[number];

export const blankAddress: Record<AddressField, string> = {
  ...{ line1: "", line2: "", postal_code: "", city: "", region: "", country: "" },
};

/** Whether the text is an ISO 3166-1 alpha-2 code by its form, or empty. */
export const isCountry = (text: string): boolean => /^([A-Za-z]{2})?$/.test(text.trim());
