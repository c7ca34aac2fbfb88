// The address of the home page, and of the lists that its figures count.
import { filterQuery, type SearchParams } from "@/app/_ui/list-query";
import { settledStatuses } from "@/server/domains/overview/settled";
import { limits } from "@/server/kit/limits";
import { tabQuery } from "../../payment-requests/_parts/list-shape";

const periods = limits.overview.days;
export type Period = (typeof periods)[number];
const defaultPeriod: Period = 30;

/** The period in the address, in days. */
export const periodOf = ({ days }: SearchParams): Period =>
  periods.find((one) => String(one) === days) ?? defaultPeriod;

export const homeAddress = (period: Period): string =>
  period === defaultPeriod ? "/dashboard" : `/dashboard?days=${period}`;

/** A time span as the API writes it. */
interface Span {
  from: string;
  to: string;
}

/** The list of the payments or refunds that a figure adds up. */
export const movedAddress = (type: "payment" | "refund", currency: string, { from, to }: Span): string =>
  `/dashboard/transactions?${filterQuery({
    type,
    status: settledStatuses.join(","),
    currency,
    created_from: from,
    created_to: to,
  })}`;

/** The list of the open payment requests in a currency. */
export const openAddress = (currency: string): string =>
  `/dashboard/payment-requests?${filterQuery({ ...tabQuery("open"), currency })}`;
