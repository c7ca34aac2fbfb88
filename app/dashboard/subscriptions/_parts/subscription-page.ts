// The subscription of a page, as its viewer may see it.
import { notFound } from "next/navigation";
import { cache } from "react";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { failureOf } from "@/server/pipeline/trpc-router";
import { subscriptionPath } from "./subscription-path";

/** The subscription, or the not-found page if it does not exist or the reader may not see it. */
const subscriptionOf = cache(async (id: string) => {
  const caller = await api();
  try {
    const subscription = await caller.subscriptions.get({ subscription_id: id });
    const { data } = await caller.subscriptions.titles({ subscription_ids: [id] });
    return { subscription, title: data[0] };
  } catch (error) {
    const { code } = failureOf(error);
    if (code === "subscription_not_found" || code === "invalid_request") notFound();
    throw error;
  }
});

/** The signed-in reader, the subscription, what it is for and who pays. */
export async function readerOf(id: string) {
  const user = await requireUser(subscriptionPath(id));
  return { user, ...(await subscriptionOf(id)) };
}
