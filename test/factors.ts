// Second factors in tests: a dashboard session, an authenticator app, and the codes that it shows.
import { generateHOTP } from "@oslojs/otp";
import { eq } from "drizzle-orm";
import { totpFactors } from "@/db/tables";
import { confirmTotp, setUpTotp } from "@/server/domains/factors/operations/totp";
import { stepOf } from "@/server/domains/factors/totp";
import type { Actor } from "@/server/kit/context";
import { unseal } from "@/server/secrets/seal";
import type { TestUser, World } from "./world";

/** The user in a dashboard session that has just been opened. */
export const onDashboard = (world: World, user: TestUser): Actor =>
  ({ ...user.actor, sessionKind: "cookie", authenticatedAt: world.clock.now() }) as Actor;

/** The code that the user's app shows, `stepsLater` steps of 30 seconds from now. */
export async function shownCode(world: World, userId: string, stepsLater = 0): Promise<string> {
  const [row] = await world.runtime.db.read.select().from(totpFactors).where(eq(totpFactors.userId, userId));
  const secret = unseal(world.runtime.keys, { purpose: "totp", ownerId: userId }, row?.secret ?? "");
  return generateHOTP(secret, BigInt(stepOf(world.clock.now()) + stepsLater), 6);
}

/** Sets up an authenticator app for the user; resolves to the recovery codes. */
export async function giveTotp(world: World, user: TestUser): Promise<string[]> {
  const actor = onDashboard(world, user);
  await world.call(setUpTotp, actor, {});
  const { recovery_codes } = await world.call(confirmTotp, actor, { code: await shownCode(world, user.id) });
  // The code that confirmed the app cannot be used again.
  world.clock.advance(30_000);
  return recovery_codes;
}
