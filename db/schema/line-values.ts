// The line items of a payment request, which are stored as JSON.

/**
 * VAT categories of UNCL 5305, as EN 16931 uses them. S: taxed at a rate above 0. Z: at 0. E: exempt. AE: reverse charge.
 * K: supply to another country of the EU. G: export. O: not subject to VAT.
 */
export const taxCategories = ["S", "Z", "E", "AE", "K", "G", "O"] as const;
export type TaxCategory = (typeof taxCategories)[number];

export interface LineItem {
  name: string;
  quantity: number;
  unit_amount: number;
  tax_rate_bp: number | null;
  discount_amount: number | null;
  /** Of a link: between which quantities the payer chooses. */
  adjustable_quantity?: { minimum: number; maximum: number } | null;
  /** Missing or null: S for a rate above 0, Z for 0, none without a rate. */
  tax_category?: TaxCategory | null;
  tax_exemption_reason?: string | null;
  /** A code of UN/ECE Recommendation 20. Missing or null: C62, pieces. */
  unit?: string | null;
}
