// What EN 16931 wants to know of a line item beside its price: the category of its tax, a reason for an exemption, its unit.

import * as z from "zod";
import { type LineItem, taxCategories } from "@/db/schema/line-values";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { pieces } from "@/server/kit/units";
import type { TaxOfLine } from "./tax-category";

/** The terms in a call. */
export const lineTerms = {
  tax_category: z
    .enum(taxCategories)
    .nullish()
    .meta({
      description:
        "The VAT category (UNCL 5305). `S`: a rate above 0, the default for one. `Z`: the rate 0, the default for it. With the " +
        "rate 0: `E` exempt, `AE` reverse charge, `K` supply to another country of the EU, whose invoice states a period, `G` " +
        "export. Without a rate: `O` not subject to VAT, which is then the category of all line items.",
    }),
  tax_exemption_reason: fields.line(limits.invoice.exemptionReason).nullish().meta({
    description: "Required with the `tax_category` `E`; not allowed with `S`, `Z` or without one.",
    example: "Exempt under Art. 132 of Directive 2006/112/EC",
  }),
  unit: z
    .string()
    .min(limits.unitCode.min)
    .max(limits.unitCode.max)
    .regex(/^[A-Z0-9]+$/, "must be a code of UN/ECE Recommendation 20, such as HUR or KGM")
    .nullish()
    .meta({
      description: `What the quantity counts (UN/ECE Recommendation 20). Default: \`${pieces}\`, pieces.`,
      example: "HUR",
    }),
};

/** The terms in a response. */
export const lineTermsOut = {
  tax_category: z.enum(taxCategories).nullable(),
  tax_exemption_reason: z.string().nullable(),
  unit: z.string().nullable(),
};

type Terms = Required<Pick<LineItem, "tax_category" | "tax_exemption_reason" | "unit">>;
type Given = { [Name in keyof Terms]?: Terms[Name] | undefined };

/** The terms, null where they were not given. */
export const lineTermsOf = (line: Given): Terms => ({
  tax_category: line.tax_category ?? null,
  tax_exemption_reason: line.tax_exemption_reason ?? null,
  unit: line.unit ?? null,
});

/** The line without terms that were not given, as most lines are stored. */
export function withoutBlankTerms<Line extends Given>(line: Line): Omit<Line, keyof Terms> & Partial<Terms> {
  const { tax_category, tax_exemption_reason, unit, ...rest } = line;
  return {
    ...rest,
    ...(tax_category != null && { tax_category }),
    ...(tax_exemption_reason != null && { tax_exemption_reason }),
    ...(unit != null && { unit }),
  };
}

/** How the taxes of line items contradict each other: the name of each faulty field, and its fault. */
export function lineFaultsOf(lines: readonly TaxOfLine[]): [field: string, fault: string][] {
  const faults = lines.flatMap((line, at) =>
    faultsOfLine(line).map(([field, fault]): [string, string] => [`line_items[${at}].${field}`, fault]),
  );
  const { exemptionReasons: most } = limits.invoice;
  if (new Set(lines.flatMap(({ tax_exemption_reason: reason }) => reason ?? [])).size > most)
    faults.push(["line_items", `must have at most ${most} different reasons for exemptions`]);
  const isOutside = ({ tax_category }: TaxOfLine) => tax_category === "O";
  const other = lines.some(isOutside) ? lines.findIndex((line) => !isOutside(line)) : -1;
  if (other >= 0) faults.push([`line_items[${other}].tax_category`, "must be O, like that of the other line items"]);
  return faults;
}

function faultsOfLine({ tax_category: category, tax_rate_bp: rate, tax_exemption_reason: reason }: TaxOfLine) {
  const faults: [field: string, fault: string][] = [];
  if (category === "S" && !rate) faults.push(["tax_rate_bp", "must be above 0 with tax_category S"]);
  if (category === "O" && rate != null) faults.push(["tax_rate_bp", "is not allowed with tax_category O"]);
  if (category != null && category !== "S" && category !== "O" && rate !== 0)
    faults.push(["tax_rate_bp", `must be 0 with tax_category ${category}`]);
  if (category === "E" && reason == null) faults.push(["tax_exemption_reason", "is required with tax_category E"]);
  if (reason != null && (category == null || category === "S" || category === "Z"))
    faults.push(["tax_exemption_reason", "is only for tax_category E, AE, K, G or O"]);
  return faults;
}
