// The tax category of a line item that states none. Plain data, which the browser may load too.
import type { TaxCategory } from "@/db/schema/line-values";

export interface TaxOfLine {
  tax_rate_bp?: number | null | undefined;
  tax_category?: TaxCategory | null | undefined;
  tax_exemption_reason?: string | null | undefined;
}

/** Whether the reason for an exemption begins with the name of its category, which then need not be said as well. */
export const namesCategory = (reason: string | null, name: string): reason is string =>
  reason?.toLocaleLowerCase().startsWith(name.toLocaleLowerCase()) ?? false;

/** The category of a line's tax; null if it has neither a category nor a rate. */
export function categoryOf({ tax_category: given, tax_rate_bp: rate }: TaxOfLine): TaxCategory | null {
  if (given != null) return given;
  if (rate == null) return null;
  return rate > 0 ? "S" : "Z";
}
