// The life of one payment request in random tests: commands of payer and merchant, faults, words of the provider, and time.
import * as fc from "fast-check";
import { Failure } from "@/server/kit/errors";
import { cancelPayment } from "@/server/payments/cancel";
import { capturePayment } from "@/server/payments/capture";
import { answerChallenge } from "@/server/payments/challenge";
import { leaveChallenge } from "@/server/payments/leave-challenge";
import type { ProviderResult } from "@/server/payments/providers/provider";
import { sandboxProvider } from "@/server/payments/providers/sandbox";
import { testCards, troubledCard } from "@/server/payments/providers/test-cards";
import { refundPayment } from "@/server/payments/refund";
import { createTransaction } from "@/server/transactions/create";
import type { TransactionRow } from "@/server/transactions/present";
import { runJobs } from "./jobs";
import { settleNow } from "./money";
import { type Asked, anyone, ask, formToken, paymentRow, submit, transactionsOf } from "./payer";
import { arriveLate, type Cut, forgetFault, type Moment, type ProviderCall, planFault } from "./provider-faults";
import type { TestUser, World } from "./world";

type Fault = { cut: Cut; moment: Moment } | null;

export type Step =
  | { do: "pay"; number: string; times: number; fault: Fault }
  | { do: "answer"; answer: "complete" | "fail"; fault: Fault }
  | { do: "leave" | "cancel"; fault: Fault }
  | { do: "capture" | "refund"; amount: number | undefined; fault: Fault }
  | { do: "record"; amount: number }
  | { do: "wait"; ms: number }
  | { do: "work"; failing: ProviderCall | null }
  | { do: "arrive" }
  | { do: "hear"; which: number[] };

const amount = fc.integer({ min: 1, max: 1250 });
const part = fc.option(amount, { nil: undefined });
const fault: fc.Arbitrary<Fault> = fc.option(
  fc.record({
    cut: fc.constantFrom("reset" as const, "silence" as const, "death" as const),
    moment: fc.constantFrom("before" as const, "after" as const, "late" as const),
  }),
  { freq: 2 },
);
const does = <Name extends Step["do"]>(name: Name) => fc.constant(name);

/** Cards of every kind, those that take the money or ask for a confirmation more often. */
const number = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("4242424242424242", "4000000000007726", "4000000000005126") },
  { weight: 2, arbitrary: fc.constantFrom("4000002500003155", "4000008260003178") },
  // What its security codes stand for are faults, of which there are enough.
  { weight: 1, arbitrary: fc.constantFrom(...[...testCards.keys()].filter((known) => known !== troubledCard)) },
);

const pay: fc.Arbitrary<Step> = fc.record({ do: does("pay"), number, times: fc.integer({ min: 1, max: 3 }), fault });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: pay },
  { weight: 4, arbitrary: fc.record({ do: does("answer"), answer: fc.constantFrom("complete", "fail"), fault }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("leave", "cancel"), fault }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("capture", "refund"), amount: part, fault }) },
  { weight: 1, arbitrary: fc.record({ do: does("record"), amount }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: does("wait"),
      ms: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(1000, 6_000, 31_000) },
        { weight: 1, arbitrary: fc.constantFrom(16 * 60_000, 8 * 86_400_000, 31 * 86_400_000) },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: does("work"),
      failing: fc.option(fc.constantFrom<ProviderCall>("lookup", "capture", "cancel", "refund"), { freq: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: does("arrive") }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: does("hear"), which: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }) }),
  },
);

/** The steps of a life, which begins with a payment. */
export const steps: fc.Arbitrary<Step[]> = fc
  .tuple(pay, fc.array(step, { minLength: 3, maxLength: 14, size: "max" }))
  .map(([first, rest]) => [first, ...rest]);

/** A refusal is an answer, and so is a provider that cannot be reached; anything else is a fault of ours. */
async function allowRefusal(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    const isFault = error instanceof Failure ? error.status >= 500 : !/connection|in time/.test(String(error));
    if (isFault) throw error;
  });
}

/** A card that outlasts the many years of a test. */
const typed = (cardNumber: string) => ({
  card_number: cardNumber,
  expiry: "12/2099",
  security_code: testCards.get(cardNumber)?.brand === "amex" ? "1234" : "123",
});

/** What the provider has said of a transaction at some time, to be said again at any other. */
interface Word {
  id: string;
  result: ProviderResult;
}

export class PaymentLife {
  private readonly words = new Map<string, Word>();

  private constructor(
    private readonly world: World,
    private readonly owner: TestUser,
    readonly id: string,
    private readonly token: string,
  ) {}

  static async begin(world: World, owner: TestUser, asked: Asked): Promise<PaymentLife> {
    const { payment, token } = await ask(world, owner.actor, asked);
    return new PaymentLife(world, owner, payment.payment_id, token);
  }

  async take(one: Step): Promise<void> {
    const { world, token, id: payment_id } = this;
    const { actor } = this.owner;
    switch (one.do) {
      case "pay": {
        const form = await formToken(world, token).catch(() => null);
        if (form === null) return;
        await this.cut("start", one.fault, one.times, () => submit(world, token, form, typed(one.number)));
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
        await this.cut("cancel", one.fault, 1, () => world.call(cancelPayment, actor, { payment_id }));
        break;
      case "capture": {
        const input = { payment_id, amount: one.amount };
        await this.cut("capture", one.fault, 1, () => world.call(capturePayment, actor, input));
        break;
      }
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
      case "wait":
        return world.clock.advance(one.ms);
      case "work":
        if (one.failing) planFault(one.failing, "reset", one.failing === "lookup" ? "before" : "after");
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

  /** Makes the call so often at once, the first to reach the provider with the fault. */
  private async cut(name: ProviderCall, given: Fault, times: number, call: () => Promise<unknown>): Promise<void> {
    const reached = given ? planFault(name, given.cut, given.moment) : null;
    const ended = Promise.all(Array.from({ length: times }, () => allowRefusal(call())));
    // Of a process that has died nothing more is heard.
    await (given?.cut === "death" ? Promise.race([reached, ended]) : ended);
    forgetFault();
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

  async atProvider(): Promise<TransactionRow[]> {
    return (await transactionsOf(this.world, this.id)).filter((row) => row.provider !== null);
  }

  /** What the provider says of a transaction now. */
  async said(id: string): Promise<ProviderResult | null> {
    const provider = sandboxProvider(this.world.runtime, false);
    return (await provider.lookup("charge", id)) ?? provider.lookup("refund", id);
  }
}
