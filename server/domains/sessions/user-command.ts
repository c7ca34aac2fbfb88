// The command line's user commands: list users, create a password reset link.
import { userRoles } from "@/db/schema/values";
import { removeLostFactors } from "@/server/domains/factors/change";
import { inBackground } from "@/server/domains/records/in-background";
import { findByEmail, listActive, lockUser } from "@/server/domains/users/store";
import { limits } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import { CommandError } from "@/server/process/command-error";
import type { Runtime } from "@/server/process/runtime";
import { makeResetLink, resetUrl } from "./reset-link";

const roleWidth = Math.max(...userRoles.map((role) => role.length));

/** One line for each active user, oldest first: id, organization, role, last sign-in, e-mail address. */
export async function* describeUsers({ db }: Runtime): AsyncGenerator<string> {
  let lastId = "";
  for (;;) {
    const rows = await listActive(db.read, lastId, limits.batch.users);
    for (const row of rows) {
      const lastLogin = row.lastLoginAt === null ? "never".padEnd(24) : iso(row.lastLoginAt);
      yield [row.id, row.organizationId, row.role.padEnd(roleWidth), lastLogin, row.email].join("  ");
    }
    const last = rows.at(-1);
    if (!last || rows.length < limits.batch.users) return;
    lastId = last.id;
  }
}

/**
 * Creates the user's password reset link. With `removesFactors` it also removes the user's second factors, and tells
 * the user and all admins by mail. Throws CommandError if no user has the address.
 */
export function createResetLink(
  runtime: Runtime,
  email: string,
  { removesFactors = false }: { removesFactors?: boolean } = {},
): Promise<string> {
  return inBackground(runtime, "users.reset_link", async (ctx) => {
    const found = await findByEmail(ctx.db, email);
    const user = found && (await lockUser(ctx.db, found.id));
    if (user?.status !== "active") throw new CommandError(`No user has the address ${email}.`);
    if (removesFactors && user.mfaEnabled) await removeLostFactors(ctx, user);
    else ctx.audit({ target: user.id, organizationId: user.organizationId });
    const url = resetUrl(runtime, await makeResetLink(ctx, user));
    if (url === null) throw new Error("The link was made with a server key that this process does not have.");
    return url;
  });
}
