// Tells set-up whether the instance has any user yet.
import type { Reader } from "@/db/client";
import { findAnyUser } from "./store";

/** Whether the instance has ever had a user, removed ones included. */
export const hasAnyUser = async (q: Reader): Promise<boolean> => (await findAnyUser(q)) !== undefined;
