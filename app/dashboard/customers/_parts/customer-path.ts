// The addresses of customers in the dashboard, and what a customer is called there.
import type { Outputs } from "@/app/_trpc/server";

export const listPath = "/dashboard/customers";

export const customerPath = (id: string): string => `${listPath}/${encodeURIComponent(id)}`;

export type Customer = Outputs["customers"]["get"];

/** What a customer is called; null once it has been erased. */
export const nameOf = ({ name, email, reference }: Pick<Customer, "name" | "email" | "reference">): string | null =>
  name ?? email ?? reference;

/** Whether what is typed is another name than the customer's. */
export const isOtherName = (typed: string, name: string | null): boolean => typed.trim() !== (name ?? "").trim();

/** Whether it can be changed, merged and erased. */
export const isCurrent = ({ merged_into, erased_at }: Customer): boolean => merged_into === null && erased_at === null;
