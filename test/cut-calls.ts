// Interrupts provider calls in tests, and lets a later process resolve them.
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { jobs } from "@/db/tables";
import type { PaymentStatus } from "@/server/domains/payments/rules";
import type { TransactionStatus } from "@/server/domains/transactions/rules";
import { runJobs } from "./jobs";
import { expectSoundLedger } from "./money";
import { journalEventsOf, paymentRow, transactionsOf } from "./payer";
import { expectOneTruth } from "./payment-truth";
import { type Cut, forgetFault, type Moment, type ProviderCall, planFault } from "./provider-faults";
import { anotherProcess, openWorld, type TestOrganization, type World } from "./world";

interface Case {
  cut: Cut;
  moment: Moment;
  /** What happens to the provider's event about the effect. */
  event: "is sent" | "is lost";
}

/** Each call interrupted before its effect, after it, and after it with the provider's event lost as well. */
export const cases: Case[] = (["reset", "silence", "death"] as const).flatMap((cut) => [
  { cut, moment: "before", event: "is sent" } as const,
  { cut, moment: "after", event: "is sent" } as const,
  { cut, moment: "after", event: "is lost" } as const,
]);

/** The state of a payment request, and of its only transaction of one type. */
interface Found {
  request: PaymentStatus;
  transaction: TransactionStatus | undefined;
  captured: number | undefined;
  journals: string[];
}

/** A process that makes calls, and a later one on the same database. */
export class CutCalls {
  private constructor(
    readonly world: World,
    readonly later: World,
    readonly acme: TestOrganization,
  ) {}

  static async open(): Promise<CutCalls> {
    const world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
    return new CutCalls(world, await anotherProcess(world), await world.organization());
  }

  /** Closes both processes. Throws if the ledger is not sound. */
  async close(): Promise<void> {
    await expectSoundLedger(this.world);
    await this.later.close();
    await this.world.close();
  }

  /** Call after each test: no job may be dead. */
  async check(): Promise<void> {
    forgetFault();
    expect(await this.later.runtime.db.read.$count(jobs, eq(jobs.status, "dead"))).toBe(0);
  }

  /** Makes the call and interrupts it. Returns its result, or null if the caller gets none. */
  async cutting<T>(name: ProviderCall, { cut, moment, event }: Case, call: () => Promise<T>): Promise<T | null> {
    const reached = planFault(name, cut, moment);
    const answer = call();
    answer.catch(() => undefined);
    await reached;
    const known = cut === "death" ? null : await answer.catch(() => null);
    if (event === "is lost") await this.loseEvent();
    return known;
  }

  private loseEvent(): Promise<void> {
    return this.world.runtime.db.write(async (tx) => {
      await tx.delete(jobs).where(eq(jobs.kind, "sandbox.event"));
    });
  }

  /** Runs the jobs that are due in the later process once every call has timed out. */
  async resolve(milliseconds = 31_000): Promise<void> {
    this.later.clock.advance(milliseconds);
    await runJobs(this.later);
  }

  async found(paymentId: string, type: "payment" | "refund" = "payment"): Promise<Found> {
    await expectOneTruth(this.later, paymentId);
    const rows = (await transactionsOf(this.later, paymentId)).filter((row) => row.type === type);
    expect(rows).toHaveLength(1);
    const [transaction] = rows;
    return {
      request: (await paymentRow(this.later, paymentId)).status,
      transaction: transaction?.status,
      captured: transaction?.amountCaptured,
      journals: await journalEventsOf(this.later, transaction?.id ?? ""),
    };
  }

  /** Throws if a job of the payment request's transactions is left. */
  async expectNothingLeft(paymentId: string): Promise<void> {
    for (const { id } of await transactionsOf(this.later, paymentId)) {
      expect(await this.later.runtime.db.read.$count(jobs, eq(jobs.objectId, id))).toBe(0);
    }
  }
}

/** The reference in the address of a confirmation. */
export const referenceIn = (actionUrl: string | null): string => actionUrl?.split("/").at(-1) ?? "";
