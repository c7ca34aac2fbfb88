// The address of the home page, and of the lists that its figures count.
import { filterQuery, type SearchParams } from "@/app/_ui/list-query";
import { pauseReasons } from "@/db/schema/values";
import { settledStatuses } from "@/server/domains/overview/settled";
import type { Tab } from "@/server/domains/payments/status-tabs";
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
export interface Span {
  from: string;
  to: string;
}

/** The list of the payments or refunds that a figure adds up. */
export const movedAddress = (type: "payment" | "refund", currency: string, { from, to }: Span): string =>
  `/dashboard/transactions?${filterQuery({
    type,
    status: settledStatuses.join(","),
    customer_credit: "false",
    currency,
    created_from: from,
    created_to: to,
  })}`;

/** The list of the payments of which disputes hold or took something. */
export const disputedAddress = (currency: string, span: Span): string =>
  `${movedAddress("payment", currency, span)}&disputed=true`;

/** The list of the open payment requests in a currency. */
export const openAddress = (currency: string): string =>
  `/dashboard/payment-requests?${filterQuery({ ...tabQuery("open"), currency })}`;

/** The list of what was requested in a currency within the time span. */
export const requestedAddress = (currency: string, { from, to }: Span): string =>
  `/dashboard/payment-requests?${filterQuery({ requested: "true", currency, created_from: from, created_to: to })}`;

const endingAddress = (tab: Tab, ends: string): string =>
  `/dashboard/payment-requests?${filterQuery({ ...tabQuery(tab), ends_before: ends })}`;

/** The lists of what will need attention soon. What ends, does so before `ends`. */
export const attentionAddress = {
  disputes: (_ends: string) => `/dashboard/transactions?${filterQuery({ status: "disputed" })}`,
  lostDisputes: () => `/dashboard/payment-requests?${filterQuery({ disputed_lost: "true" })}`,
  paidLate: () => `/dashboard/payment-requests?${filterQuery({ paid_late: "true" })}`,
  overdue: () => `/dashboard/payment-requests?${filterQuery({ overdue: "true" })}`,
  lapsing: (ends: string) => endingAddress("to_capture", ends),
  expiring: (ends: string) => endingAddress("open", ends),
  declines: () => `/dashboard/payment-requests?${filterQuery({ many_declines: "true" })}`,
  overLimit: () => `/dashboard/payment-requests?${filterQuery({ over_limit: "true" })}`,
  linkRequests: () => `/dashboard/payment-requests?${filterQuery({ link_requested: "true" })}`,
  remindersWaiting: () => `/dashboard/payment-requests?${filterQuery({ reminder_waiting: "true" })}`,
  pastDue: () => `/dashboard/subscriptions?${filterQuery({ status: "past_due" })}`,
  toResume: () => `/dashboard/subscriptions?${filterQuery({ pause_reason: pauseReasons.join() })}`,
  missed: () => `/dashboard/subscriptions?${filterQuery({ missed: "true" })}`,
  unanswered: () => `/dashboard/transactions?${filterQuery({ unanswered: "true" })}`,
  inDebt: () => `/dashboard/accounts?${filterQuery({ in_debt: "true" })}`,
  orphaned: (_ends: string) => `/dashboard/accounts?${filterQuery({ orphaned: "true" })}`,
  withoutFactor: (_ends: string) =>
    `/dashboard/users?${filterQuery({ status: "active", role: "admin", mfa_enabled: "false" })}`,
} as const;

/** The lists of the faults that every page names until they are resolved. Mails failed since `from`. */
export const faultAddress = {
  overpaid: () => `/dashboard/payment-requests?${filterQuery({ overpaid: "true" })}`,
  jobs: () => "/dashboard/jobs",
  mails: (from: string) => `/dashboard/mails?${filterQuery({ status: "failed", created_from: from })}`,
} as const;
