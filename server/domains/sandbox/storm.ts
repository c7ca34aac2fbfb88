// A storm of provider events: each is delivered, then repeated, in order or shuffled, several at once.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Postponed } from "@/server/domains/jobs/postponed";
import { workerRuntime } from "@/server/domains/organizations/time";
import { changesByEvent } from "@/server/domains/transactions/look-up";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";

/** How long a delivery waits while an advance of the clock goes on, in milliseconds. */
const pollMs = 100;

interface Storm {
  organizationId: string;
  /** The transactions that the events are about. */
  ids: readonly string[];
  duplicates: number;
  shuffle: boolean;
  signal: AbortSignal;
}

/**
 * Delivers the event of each transaction, then `duplicates` times more. Ends after a while, or once the signal fires.
 * Resolves to how many repeated events were delivered, and how many of them changed anything.
 */
export async function storm(
  runtime: Runtime,
  { organizationId, ids, duplicates, shuffle, signal }: Storm,
): Promise<{ sent: number; changed: number }> {
  const until = performance.now() + limits.sandboxClock.waitMs;
  const isOver = () => performance.now() >= until || signal.aborted;
  const first = await deliverAll(ids);
  if (first.sent < ids.length) return { sent: 0, changed: 0 };
  const repeated = Array.from({ length: duplicates }, () => ids).flat();
  return deliverAll(shuffle ? shuffled(repeated) : repeated);

  async function deliverAll(all: readonly string[]): Promise<{ sent: number; changed: number }> {
    const total = { sent: 0, changed: 0 };
    for (let from = 0; from < all.length; from += limits.storm.atOnce) {
      const delivered = await Promise.all(all.slice(from, from + limits.storm.atOnce).map(deliver));
      total.sent += delivered.filter((hasChanged) => hasChanged !== null).length;
      total.changed += delivered.filter((hasChanged) => hasChanged).length;
    }
    return total;
  }

  /** Whether the event changed anything; null if it was not delivered in time. */
  async function deliver(id: string): Promise<boolean | null> {
    while (!isOver()) {
      const own = await workerRuntime(runtime, organizationId, true);
      try {
        if (own) return await changesByEvent(own, id);
      } catch (error) {
        if (!(error instanceof Postponed)) throw error;
      }
      // An advance of the clock comes first: it carries acts out at their own instants.
      await sleep(pollMs);
    }
    return null;
  }
}

function shuffled(ids: readonly string[]): string[] {
  const order = [...ids];
  for (let i = order.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [order[i], order[j]] = [order[j] ?? "", order[i] ?? ""];
  }
  return order;
}
