// Finds the payment request of a page, its customer, and what can be simulated for it.
import { notFound } from "next/navigation";
import { cache } from "react";
import { userMay } from "@/app/_trpc/may";
import { api, type Outputs } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { failureOf } from "@/server/pipeline/trpc-router";
import { paymentPath } from "./payment-path";

/** The payment request, or the not-found page if it does not exist or the reader may not see it. */
export const paymentOf = cache(async (payment_id: string) => {
  await requireUser(paymentPath(encodeURIComponent(payment_id)));
  try {
    return await (await api()).payments.get({ payment_id });
  } catch (error) {
    if (failureOf(error).code === "payment_not_found") return notFound();
    throw error;
  }
});

/** The customer that the payment request belongs to; null if none is known. */
export async function customerOf({
  customer,
}: Outputs["payments"]["get"]): Promise<Outputs["customers"]["get"] | null> {
  const customer_id = customer?.customer_id ?? null;
  return customer_id === null ? null : (await api()).customers.get({ customer_id });
}

/** The events of the sandbox provider that the reader may bring about for it now. */
export async function eventsOf(
  user: Awaited<ReturnType<typeof requireUser>>,
  payment_id: string,
): Promise<Outputs["sandbox"]["events"]["events"]> {
  if (user.organization.mode !== "sandbox" || !userMay(user, "sandbox.events")) return [];
  return (await (await api()).sandbox.events({ payment_id })).events;
}

/** Of an issued invoice the number, which is what customers quote, with the description below. */
export const headOf = (
  { payment_id: id, description, invoice_number: number }: Outputs["payments"]["get"],
  t: (name: "invoiceTitle", values: { number: string }) => string,
): { title: string; subtitle: string | null } =>
  number === null
    ? { title: description ?? id, subtitle: null }
    : { title: t("invoiceTitle", { number }), subtitle: description };
