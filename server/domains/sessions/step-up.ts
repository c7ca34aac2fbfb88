// Step-up for money: how much a dashboard session may move in an hour before its user must sign in again.
import { dashboardUser, isFresh } from "@/server/access/fresh";
import { organizationById } from "@/server/domains/organizations/organization";
import { stepUpAmountOf } from "@/server/domains/organizations/step-up-amounts";
import type { WriteContext } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { hourMs, minuteMs } from "@/server/kit/limits";
import { lockMoves, saveMoves } from "./step-up-store";

/** An instant (epoch ms) and an amount in minor units. */
export type Move = [at: number, amount: number];

/** The moves of the last hour plus a new one. Moves within one minute are merged, so that the list stays short. */
export function withMove(moves: readonly Move[], at: number, amount: number): Move[] {
  const recent = moves.filter(([then]) => at - then < hourMs);
  const last = recent.at(-1);
  if (last && at - last[0] < minuteMs) return [...recent.slice(0, -1), [last[0], last[1] + amount]];
  return [...recent, [at, amount]];
}

/**
 * Counts money that a dashboard session moves. Refuses with `reauthentication_required` if the sign-in is not fresh and
 * the session moves more of the currency within an hour than the organization allows.
 */
export async function countMove(
  { db, realNow: now, actor, runtime }: WriteContext,
  { amount, currency }: { amount: number; currency: string },
): Promise<void> {
  const user = dashboardUser(actor);
  if (!user) return;
  const moves = withMove(await lockMoves(db, user.sessionId, currency), now, amount);
  const sum = moves.reduce((total, [, each]) => total + each, 0);
  const organization = await organizationById(db, user.organizationId);
  if (sum > stepUpAmountOf(organization, runtime.env, currency) && !isFresh(actor, now)) {
    throw new Failure("reauthentication_required", 400);
  }
  await saveMoves(db, user.sessionId, currency, moves);
}
