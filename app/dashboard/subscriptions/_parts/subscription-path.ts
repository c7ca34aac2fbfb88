// The addresses of subscriptions in the dashboard, and what a subscription is called there.
import type { Outputs } from "@/app/_trpc/server";

export const listPath = "/dashboard/subscriptions";

export const subscriptionPath = (id: string): string => `${listPath}/${encodeURIComponent(id)}`;

export type Subscription = Outputs["subscriptions"]["get"];
export type Title = Outputs["subscriptions"]["titles"]["data"][number];

/** The name or e-mail address of who pays; null if neither is known. */
export const payerOf = (title: Title | undefined): string | null =>
  title?.customer_name ?? title?.customer_email ?? null;

/** What a subscription is called: what it is for, else who pays, else its id. */
export const nameOf = (id: string, title: Title | undefined): string => title?.description ?? payerOf(title) ?? id;
