// The customer of a page, as its viewer may see it.
import { notFound } from "next/navigation";
import { cache } from "react";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { failureOf } from "@/server/pipeline/trpc-router";
import { customerPath } from "./customer-path";

/** The customer, or the not-found page if it does not exist or the reader may not see it. */
export const customerOf = cache(async (id: string) => {
  const caller = await api();
  try {
    return await caller.customers.get({ customer_id: id });
  } catch (error) {
    if (failureOf(error).code === "customer_not_found") notFound();
    throw error;
  }
});

/** The signed-in reader and the customer. `below` is the rest of the page's path. */
export async function readerOf(id: string, below = "") {
  const user = await requireUser(customerPath(id) + below);
  return { user, customer: await customerOf(id) };
}
