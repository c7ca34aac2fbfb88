// The event of a changed user.
import type { WriteContext } from "@/server/kit/context";
import type { UserRow } from "./store";

/** Emits the event that these fields of the user have changed. It contains their names, not their values. */
export function announceUpdate(
  ctx: Pick<WriteContext, "emit">,
  { id, organizationId }: Pick<UserRow, "id" | "organizationId">,
  fields: readonly string[],
): void {
  ctx.emit({ type: "user.updated", object: id, organizationId, data: { user_id: id, fields } });
}
