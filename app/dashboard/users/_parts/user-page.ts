// The user of a page, as its viewer may see it.
import { forbidden, notFound } from "next/navigation";
import { cache } from "react";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { failureOf } from "@/server/pipeline/trpc-router";
import { pathOf } from "./user-path";

/** The signed-in reader and the user. */
export const readerOf = cache(async (id: string) => {
  const reader = await requireUser(pathOf(id));
  if (!userMay(reader, "users.list")) forbidden();
  const caller = await api();
  try {
    return { reader, user: await caller.users.get({ user_id: id }) };
  } catch (error) {
    if (failureOf(error).code === "user_not_found") notFound();
    throw error;
  }
});
