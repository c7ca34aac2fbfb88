// The user who changes what is their own in the dashboard.
import { dashboardUser } from "@/server/access/fresh";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { lockUser, type UserRow } from "./store";

/** The calling user, locked. Only a dashboard session may: a stolen API token must not change, say, factors. */
export async function lockCaller(ctx: WriteContext, fail: Fail<"insufficient_permissions">): Promise<UserRow> {
  const { userId } = dashboardUser(ctx.actor) ?? fail("insufficient_permissions");
  const user = await lockUser(ctx.db, userId);
  return user?.status === "active" ? user : fail("insufficient_permissions");
}
