// The life of one payment request in random tests: commands of payer and merchant, faults, provider reports, and time.
import { answerChallenge } from "@/server/domains/payments/operations/challenge";
import { leaveChallenge } from "@/server/domains/payments/operations/leave-challenge";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import type { ProviderResult } from "@/server/domains/providers/provider";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { testCards } from "@/server/domains/providers/test-cards";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import type { TransactionRow } from "@/server/domains/transactions/present";
import { Failure } from "@/server/kit/errors";
import { closeAccountOf } from "./closing";
import { runJobs } from "./jobs";
import { cancelRequest, captureRequest } from "./merchant";
import { settleNow } from "./money";
import { anyone, ask, formToken, paymentRow, type RequestFields, submit, transactionsOf } from "./payer";
import type { Fault, Step } from "./payment-steps";
import { arriveLate, forgetFault, type ProviderCall, planFault } from "./provider-faults";
import type { TestUser, World } from "./world";

/** Accepts refusals and unreachable providers. Any other error fails the test. */
async function allowRefusal(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    const isFault = error instanceof Failure ? error.status >= 500 : !/connection|in time/.test(String(error));
    if (isFault) throw error;
  });
}

/** A card that is valid for the many years of a test. */
const typed = (cardNumber: string, code?: string) => ({
  card_number: cardNumber,
  expiry: "12/2099",
  security_code: code ?? (testCards.get(cardNumber)?.brand === "amex" ? "1234" : "123"),
});

/** A result that the provider has reported for a transaction, to be reported again later. */
interface Report {
  id: string;
  result: ProviderResult;
}

export class PaymentLife {
  private readonly reports = new Map<string, Report>();
  /** A form that was loaded earlier, in another tab. */
  private oldForm: string | null = null;
  /** Whether the provider has forgotten that it promised never to make a charge. */
  hasBrokenPromise = false;

  private constructor(
    private readonly world: World,
    private readonly owner: TestUser,
    readonly id: string,
    private readonly token: string,
  ) {}

  static async begin(world: World, owner: TestUser, fields: RequestFields): Promise<PaymentLife> {
    const { payment, token } = await ask(world, owner.actor, fields);
    const life = new PaymentLife(world, owner, payment.payment_id, token);
    life.oldForm = await formToken(world, token);
    return life;
  }

  async take(one: Step): Promise<void> {
    const { world, token, id: payment_id } = this;
    const { actor } = this.owner;
    switch (one.do) {
      case "pay": {
        const load = () => formToken(world, token).catch(() => null);
        const form = (one.tab === "new" ? await load() : null) ?? this.oldForm;
        // While the page shows a form, another tab stays open beside this one.
        this.oldForm = (await load()) ?? this.oldForm;
        if (form === null) return;
        await this.cut("start", one.fault, one.times, () => submit(world, token, form, typed(one.number, one.code)));
        break;
      }
      case "answer": {
        const { actionUrl } = await paymentRow(world, payment_id);
        const input = { reference: actionUrl?.split("/").at(-1) ?? "", answer: one.answer };
        await this.cut("answerChallenge", one.fault, 1, () => world.call(answerChallenge, anyone, input));
        break;
      }
      case "leave":
        await this.cut("cancel", one.fault, 1, () => world.call(leaveChallenge, anyone, { token }));
        break;
      case "cancel":
        await this.cut("cancel", one.fault, 1, () => cancelRequest(world, actor, payment_id));
        break;
      case "capture":
        await this.cut("capture", one.fault, 1, () => captureRequest(world, actor, payment_id, one.amount));
        break;
      case "refund": {
        const rows = await transactionsOf(world, payment_id);
        const transaction_id = rows.find((row) => row.amountCaptured > row.amountRefunded + row.amountRefunding)?.id;
        const input = { payment_id, transaction_id, amount: one.amount };
        await this.cut("refund", one.fault, 1, () => world.call(refundPayment, actor, input));
        break;
      }
      case "record": {
        const input = { type: "payment", amount: one.amount, currency: "EUR", payment_id } as const;
        await allowRefusal(world.call(createTransaction, actor, input));
        break;
      }
      case "void": {
        const held = (await this.atProvider()).find((row) => row.status === "authorized")?.providerReference;
        if (held) await sandboxProvider(world.runtime, false).cancel(held, "authorized");
        break;
      }
      case "close":
        await allowRefusal(closeAccountOf(world, actor, this.owner.accountId));
        break;
      case "wait":
        return world.clock.advance(one.ms);
      case "work":
        if (one.breaksPromise) this.breakPromise();
        else if (one.failing) planFault(one.failing, "reset", one.failing === "lookup" ? "before" : "after");
        await runJobs(world);
        forgetFault();
        break;
      case "arrive":
        await arriveLate();
        break;
      case "report": {
        const known = [...this.reports.values()];
        for (const index of known.length > 0 ? one.which : []) await this.report(known[index % known.length]);
        return;
      }
    }
    await this.recordResults();
  }

  /**
   * Makes the provider forget the next charge that is given up, so that it makes the charge if the request arrives
   * late.
   */
  private breakPromise(): void {
    planFault("giveUp", "reset", "unkept").then(() => {
      this.hasBrokenPromise = true;
    });
  }

  /** Makes the call several times concurrently. The first to reach the provider has the fault. */
  private async cut(name: ProviderCall, given: Fault, times: number, call: () => Promise<unknown>): Promise<void> {
    const reached = given ? planFault(name, given.cut, given.moment) : null;
    const ended = Promise.all(Array.from({ length: times }, () => allowRefusal(call())));
    // A process that has died never answers.
    await (given?.cut === "death" ? Promise.race([reached, ended]) : ended);
    // The caller may time out before the provider has done the work.
    if (!forgetFault()) await reached;
  }

  /** Records the provider's current results, and that it may have reported `processing` before. */
  private async recordResults(): Promise<void> {
    for (const { id } of await this.atProvider()) {
      const result = await this.resultOf(id);
      if (!result) continue;
      this.record({ id, result });
      if (result.kind === "refund") this.record({ id, result: { ...result, status: "pending", failure: null } });
      else {
        const before = { status: "processing", amountCaptured: 0, actionUrl: null, failure: null } as const;
        this.record({ id, result: { ...result, ...before } });
      }
    }
  }

  private record(report: Report): void {
    this.reports.set(JSON.stringify(report), report);
  }

  private async report(report: Report | undefined): Promise<void> {
    if (report) await settleNow(this.world, report.id, report.result);
  }

  /** Reports everything again that the provider has ever reported, in the order that `shuffle` returns. */
  async reportAll(shuffle: (reports: Report[]) => Report[]): Promise<void> {
    for (const report of shuffle([...this.reports.values()])) await this.report(report);
  }

  /** Minor units recorded as received outside the pay page. */
  async receivedOffline(): Promise<number> {
    const rows = await transactionsOf(this.world, this.id);
    return rows.reduce((sum, row) => sum + (row.provider === null ? row.amountCaptured : 0), 0);
  }

  async atProvider(): Promise<TransactionRow[]> {
    return (await transactionsOf(this.world, this.id)).filter((row) => row.provider !== null);
  }

  /** The provider's current result for a transaction. */
  async resultOf(id: string): Promise<ProviderResult | null> {
    const provider = sandboxProvider(this.world.runtime, false);
    return (await provider.lookup("charge", id)) ?? provider.lookup("refund", id);
  }
}
