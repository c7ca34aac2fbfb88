// Removes records after their retention period: Idempotency-Keys, sessions, devices, links, invitations, mails' bodies.

import { removeOldEmailLinks } from "@/server/domains/addresses/retention";
import { removeOldInvitations } from "@/server/domains/invitations/retention";
import { dropOldBodies } from "@/server/domains/mails/retention";
import { removeOldDevices } from "@/server/domains/sessions/devices";
import { removeOldChallenges } from "@/server/domains/sessions/operations/passkey-sign-in";
import { removeOldResets, removeOldSessions } from "@/server/domains/sessions/retention";
import { removeEndedCounts } from "@/server/fairness/throttle";
import { limits } from "@/server/kit/limits";
import { removeExpiredKeys } from "@/server/pipeline/idempotency";
import type { Runtime } from "@/server/process/runtime";

/**
 * Removes expired Idempotency-Keys, sessions that ended long ago, devices not seen for long, links and invitations
 * that expired long ago, unanswered challenges, ended counters of limits and the bodies of old mails, in batches, until
 * `stopping` fires. Safe to run in several processes at once.
 */
export async function removeOutdated(runtime: Runtime, stopping?: AbortSignal): Promise<void> {
  const steps = [
    removeExpiredKeys,
    removeOldSessions,
    removeOldDevices,
    removeOldResets,
    removeOldChallenges,
    removeOldEmailLinks,
    removeOldInvitations,
    removeEndedCounts,
    dropOldBodies,
  ];
  for (const remove of steps) {
    while (!stopping?.aborted && (await remove(runtime, limits.batch.retention)) === limits.batch.retention);
  }
}
