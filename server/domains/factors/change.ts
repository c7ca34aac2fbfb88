// What adding and removing factors have in common: the recovery codes and the records.
import { needsFactor } from "@/server/access/factor";
import { organizationById } from "@/server/domains/organizations/organization";
import { announceUpdate } from "@/server/domains/users/announce";
import { notifyAdmins, notifyUser } from "@/server/domains/users/notices";
import { setMfaEnabled, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { deletePasskeysOf, deletePasskeysSince, listPasskeys } from "./passkey-store";
import { hashesOf, newCodes } from "./recovery";
import { countCodes, deleteCodes, deleteNewer, deleteTotp, findTotp, putCodes } from "./store";

/** A factor was added: with the first one, the user gets recovery codes, which are returned. */
export async function factorAdded(ctx: WriteContext, user: UserRow, factor: string): Promise<string[]> {
  await setMfaEnabled(ctx.db, user.id, true);
  const codes = (await countCodes(ctx.db, user.id)) === 0 ? await makeCodes(ctx, user.id) : [];
  await record(ctx, user, { added: factor });
  return codes;
}

/**
 * A factor was removed. If no factor is left, the recovery codes are removed too. Refuses with `last_factor` if the
 * organization requires one; the pipeline has locked the organization, as for every change that needs a fresh sign-in.
 */
export async function factorRemoved(
  ctx: WriteContext,
  user: UserRow,
  { factor, isLast }: { factor: string; isLast: boolean },
  fail: Fail<"last_factor">,
): Promise<void> {
  if (isLast) {
    const { requireMfa } = await organizationById(ctx.db, user.organizationId);
    if (needsFactor(requireMfa, user.role)) fail("last_factor");
    await deleteCodes(ctx.db, user.id);
    await setMfaEnabled(ctx.db, user.id, false);
  }
  await record(ctx, user, { removed: factor });
}

/** Replaces the user's recovery codes and returns the new ones, which are not stored. */
export async function makeCodes(ctx: WriteContext, userId: string): Promise<string[]> {
  const codes = newCodes();
  const hashes = codes.map((code) => hashesOf(ctx.runtime.keys, userId, code)[0] ?? "");
  await putCodes(ctx.db, userId, hashes, ctx.now);
  return codes;
}

/** Removes every factor of a user who is removed. The caller has locked the user. */
export async function forgetFactors({ db }: Pick<WriteContext, "db">, userId: string): Promise<void> {
  await deleteTotp(db, userId);
  await deletePasskeysOf(db, userId);
  await deleteCodes(db, userId);
  await setMfaEnabled(db, userId, false);
}

/** Removes all factors of a user who has lost them, and tells the user and all admins. The caller has locked the user. */
export async function removeLostFactors(ctx: WriteContext, user: UserRow): Promise<void> {
  await forgetFactors(ctx, user.id);
  await record(ctx, user, { removed: "all" });
  const subject = user.name ?? user.email;
  await notifyAdmins(ctx, user.organizationId, { notice: "second_factors_removed", subject });
}

/**
 * Removes the factors that were set up at `since` (epoch ms) or later, perhaps by a stranger, and tells the user, whom
 * the caller has locked.
 */
export async function removeFactorsSince(ctx: WriteContext, user: UserRow, since: number): Promise<void> {
  const count = (await deleteNewer(ctx.db, user.id, since)) + (await deletePasskeysSince(ctx.db, user.id, since));
  if (count === 0) return;
  const [totp, passkeys] = [await findTotp(ctx.db, user.id), await listPasskeys(ctx.db, user.id)];
  if ((totp?.confirmedAt ?? null) === null && passkeys.length === 0) await forgetFactors(ctx, user.id);
  await record(ctx, user, { removed: "set_up_since", since: iso(since) });
}

/** Audit entry, event and mail of a changed factor. */
export async function record(ctx: WriteContext, user: UserRow, detail: Record<string, unknown>): Promise<void> {
  ctx.audit({ target: user.id, organizationId: user.organizationId, detail });
  announceUpdate(ctx, user, ["mfa_enabled"]);
  await notifyUser(ctx, user, { notice: "second_factor_changed" });
}
