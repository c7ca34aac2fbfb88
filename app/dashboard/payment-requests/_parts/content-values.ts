// What the values of the form say in a PATCH: of a draft all of it, otherwise what has changed.
import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "@/server/pipeline/trpc-router";
import { type RequestValues, requestOf } from "./request-values";

/** What a PATCH of a draft or an open payment request may say. */
export type Content = Omit<inferRouterInputs<AppRouter>["payments"]["update"], "payment_id" | "account_id">;

/** What the values say, in every field that the form has, as a draft keeps it. */
export function contentOf(values: RequestValues, locale: string): Content {
  const { account_id: _, ...request } = requestOf(values, locale);
  const empty = { amount: null, line_items: null, customer: null, due_at: null, subscription: null, expires_at: null };
  const whole = { allow_partial: null, minimum_amount: null, installments: null, usage_limit: 1, custom_amount: null };
  const none = { invoice: null, reference: null, reminders: null, locale: null, success_url: null };
  const description = request.description || null;
  return { ...empty, ...whole, ...none, capture_method: "automatic", metadata: {}, ...request, description };
}

/** What differs between two contents. Metadata keys that are gone are removed. */
export function changesOf(before: Content, after: Content): Content {
  const fields = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Content]),
  );
  const changes: Content = Object.fromEntries(fields);
  if (!changes.metadata) return changes;
  const gone = Object.fromEntries(Object.keys(before.metadata ?? {}).map((key) => [key, null]));
  return { ...changes, metadata: { ...gone, ...changes.metadata } };
}
