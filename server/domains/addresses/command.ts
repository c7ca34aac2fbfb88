// The command line's way to count an address as verified, for installations that send no mail.
import { inBackground } from "@/server/domains/records/in-background";
import { findByEmail, lockUser, setEmail } from "@/server/domains/users/store";
import { CommandError } from "@/server/process/command-error";
import type { Runtime } from "@/server/process/runtime";

/** Counts the user's address as verified; throws CommandError if no user has it. */
export function verifyAddress(runtime: Runtime, email: string): Promise<void> {
  return inBackground(runtime, "users.verify_address", async (ctx) => {
    const found = await findByEmail(ctx.db, email);
    const user = found && (await lockUser(ctx.db, found.id));
    if (user?.status !== "active") throw new CommandError(`No user has the address ${email}.`);
    ctx.audit({ target: user.id, organizationId: user.organizationId });
    if (user.emailVerifiedAt === null) await setEmail(ctx.db, user, user.email, ctx.now);
  });
}
