// The life of one payment request in random tests: commands of payer and merchant, faults, words of the provider, and time.

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
import { type Asked, anyone, ask, formToken, paymentRow, submit, transactionsOf } from "./payer";
import type { Fault, Step } from "./payment-steps";
import { arriveLate, forgetFault, type ProviderCall, planFault } from "./provider-faults";
import type { TestUser, World } from "./world";

/** A refusal is an answer, and so is a provider that cannot be reached; anything else is a fault of ours. */
async function allowRefusal(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    const isFault = error instanceof Failure ? error.status >= 500 : !/connection|in time/.test(String(error));
    if (isFault) throw error;
  });
}

/** A card that outlasts the many years of a test. */
const typed = (cardNumber: string, code?: string) => ({
  card_number: cardNumber,
  expiry: "12/2099",
  security_code: code ?? (testCards.get(cardNumber)?.brand === "amex" ? "1234" : "123"),
});

/** What the provider has said of a transaction at some time, to be said again at any other. */
interface Word {
  id: string;
  result: ProviderResult;
}

export class PaymentLife {
  private readonly words = new Map<string, Word>();
  /** A form that was loaded earlier, in another tab. */
  private oldForm: string | null = null;
  /** Whether the provider has forgotten a charge that it had promised never to make. */
  hasBrokenPromise = false;

  private constructor(
    private readonly world: World,
    private readonly owner: TestUser,
    readonly id: string,
    private readonly token: string,
  ) {}

  static async begin(world: World, owner: TestUser, asked: Asked): Promise<PaymentLife> {
    const { payment, token } = await ask(world, owner.actor, asked);
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
        // While the page shows a form, another tab is open beside this one.
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
      case "hear": {
        const known = [...this.words.values()];
        for (const index of known.length > 0 ? one.which : []) await this.hear(known[index % known.length]);
        return;
      }
    }
    await this.listen();
  }

  /** Of the next charge that is given up the provider remembers nothing, and makes it should it arrive. */
  private breakPromise(): void {
    planFault("giveUp", "reset", "unkept").then(() => {
      this.hasBrokenPromise = true;
    });
  }

  /** Makes the call so often at once, the first to reach the provider with the fault. */
  private async cut(name: ProviderCall, given: Fault, times: number, call: () => Promise<unknown>): Promise<void> {
    const reached = given ? planFault(name, given.cut, given.moment) : null;
    const ended = Promise.all(Array.from({ length: times }, () => allowRefusal(call())));
    // Of a process that has died nothing more is heard.
    await (given?.cut === "death" ? Promise.race([reached, ended]) : ended);
    // Patience may end before the provider has done what it was asked for.
    if (!forgetFault()) await reached;
  }

  /** Notes what the provider now says, and that it may have said `processing` before. */
  private async listen(): Promise<void> {
    for (const { id } of await this.atProvider()) {
      const result = await this.said(id);
      if (!result) continue;
      this.note({ id, result });
      if (result.kind === "refund") this.note({ id, result: { ...result, status: "pending", failure: null } });
      else {
        const before = { status: "processing", amountCaptured: 0, actionUrl: null, failure: null } as const;
        this.note({ id, result: { ...result, ...before } });
      }
    }
  }

  private note(word: Word): void {
    this.words.set(JSON.stringify(word), word);
  }

  private async hear(word: Word | undefined): Promise<void> {
    if (word) await settleNow(this.world, word.id, word.result);
  }

  /** Says again everything that the provider has ever said, in the order that `shuffle` gives. */
  async hearAll(shuffle: (words: Word[]) => Word[]): Promise<void> {
    for (const word of shuffle([...this.words.values()])) await this.hear(word);
  }

  /** Minor units that were recorded as received outside the pay page. */
  async receivedOffline(): Promise<number> {
    const rows = await transactionsOf(this.world, this.id);
    return rows.reduce((sum, row) => sum + (row.provider === null ? row.amountCaptured : 0), 0);
  }

  async atProvider(): Promise<TransactionRow[]> {
    return (await transactionsOf(this.world, this.id)).filter((row) => row.provider !== null);
  }

  /** What the provider says of a transaction now. */
  async said(id: string): Promise<ProviderResult | null> {
    const provider = sandboxProvider(this.world.runtime, false);
    return (await provider.lookup("charge", id)) ?? provider.lookup("refund", id);
  }
}
