// The types of transactions that a user can make by hand.
import { userMay } from "@/app/_trpc/may";
import type { Outputs } from "@/app/_trpc/server";
import { type Movement, movements } from "./movements";

/** In the order of the tabs; empty for a user who may make none. */
export const newTypesFor = (user: Outputs["users"]["current"]): (Movement | "payment")[] =>
  (["payment", ...movements] as const).filter((type) => userMay(user, `transactions.create.${type}`));
