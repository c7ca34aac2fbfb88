// The steps of a random life as calls of the product, each with what the rules say about it right before it runs.
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { answerChallenge } from "@/server/domains/payments/operations/challenge";
import { leaveChallenge } from "@/server/domains/payments/operations/leave-challenge";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { refundSurplus } from "@/server/domains/payments/operations/refund-surplus";
import { testCards } from "@/server/domains/providers/test-cards";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import type { TransactionRow } from "@/server/domains/transactions/present";
import type { Transaction } from "@/server/domains/transactions/schema";
import { dayMs } from "@/server/kit/limits";
import type { CreateInput } from "../money";
import { anyone, chosenOn, submit } from "../payer";
import type { World } from "../world";
import { addressing } from "./addressing";
import type { Action } from "./calls";
import { capturing } from "./capturing";
import { changingCard, isCardStep } from "./card-links";
import { deciding } from "./deciding";
import { dismissing, reportingOddly } from "./dismissing";
import { drafting } from "./drafting";
import { isHolderErased } from "./erasure";
import { allowingCards, extension } from "./extension";
import { creditMadeOf, type Facts, paymentsOf } from "./facts";
import { connectionOf, isPaidElsewhere, isReleased, mayBeSlowed } from "./link-facts";
import { isLinkStep, onLink, unlessRefused } from "./links";
import { recording } from "./marking";
import { moving } from "./moving";
import { availableOf, isAvailable, mayAct, mayPayByCard, overpaidOf, requestOf, surplusLeft } from "./questions";
import type { Asked, Scene } from "./scene";
import { asking, seeing } from "./seeing";
import { simulating } from "./simulating";
import * as spec from "./spec";
import * as parts from "./spec-parts";
import { steering } from "./steering";
import type { Amount, Step } from "./steps";

type Of<Name extends Step["do"]> = Extract<Step, { do: Name }>;

const once = { times: 1, key: "none", fault: null } as const;

export class Actions {
  constructor(private readonly scene: Scene) {}

  /** The calls of a step; none if what it acts on does not exist. */
  async of(step: Step, facts: Facts): Promise<Action[]> {
    if (isCardStep(step)) return changingCard(this.scene, step, facts);
    if (step.do === "dismiss") return dismissing(this.scene, step, facts);
    if (step.do === "reportOddly") return reportingOddly(this.scene, step, facts);
    if (step.do === "extend") return extension(this.scene, step, facts);
    if (step.do === "allowCards") return allowingCards(this.scene, step, facts);
    if (step.do === "decide") return deciding(this.scene, step, facts);
    if (isLinkStep(step)) return onLink(this.scene, step, facts);
    switch (step.do) {
      case "pay": {
        const mayPay = ({ id }: Asked) => mayPayByCard(facts, id, facts.now);
        return this.pay(step, this.scene.request(step.request, mayPay), facts);
      }
      case "answer":
      case "leave":
      case "cancel": {
        const waits = step.do === "cancel" ? "processing" : "requires_action";
        return this.onRequest(
          step,
          facts,
          (one) => one.status === waits,
          (asked) => this.conclude(step, asked, facts),
        );
      }
      case "capture": {
        const call = async (asked: Asked) =>
          capturing(step, asked, facts, await this.scene.people.callerFor(asked.accountId, facts));
        return this.onRequest(step, facts, ({ status }) => status === "authorized", call);
      }
      case "refund":
      case "refundSurplus": {
        const hasLeft = (one: TransactionRow) => spec.refundableOf(one) > 0;
        return this.onRequest(step, facts, hasLeft, (asked) => this.refund(step, asked, facts));
      }
      case "steer":
        return steering(this.scene, step, facts);
      case "see":
        return seeing(this.scene, step.request);
      case "askForLink":
        return asking(this.scene, step.request);
      case "change":
      case "finalize":
      case "duplicate":
        return drafting(this.scene, step, facts);
      case "markPaid":
      case "applyCredit":
      case "record":
        return recording(this.scene, step, facts);
      case "move":
      case "transfer":
        return [moving(this.scene, step, this.accept)];
      case "address":
        return addressing(this.scene, step, facts);
      case "moveClock":
      case "simulate":
      case "storm":
        return simulating(this.scene, step, facts);
      case "close":
        return [this.scene.people.close(this.scene.account(step.account))];
      case "remove":
        return this.scene.people.removeOwner(this.scene.account(step.account), facts);
      case "signOut":
        return this.scene.people.endSession(this.scene.account(step.account), step.by, facts);
      default:
        return [];
    }
  }

  /** Acts on the step's payment request, preferably on one that has a payment like this. */
  private async onRequest(
    step: { request: number },
    facts: Facts,
    likes: (one: TransactionRow) => boolean,
    act: (asked: Asked) => Promise<Action | null> | Action | null,
  ): Promise<Action[]> {
    const asked = this.scene.request(step.request, ({ id }) => paymentsOf(facts, id).some(likes));
    const action = asked && (await act(asked));
    return action ? [action] : [];
  }

  private async pay(step: Of<"pay">, asked: Asked | undefined, facts: Facts): Promise<Action[]> {
    const { number, code, tab, times, fault, choice, typed } = step;
    if (!asked) return [];
    const loaded = tab === "new" ? await this.scene.load(asked) : null;
    const form = loaded ?? asked.form;
    // While the page shows a form, another tab stays open beside this one.
    asked.form = (await this.scene.load(asked)) ?? asked.form;
    // Forms are valid for a day. One that is older is seldom sent.
    if (!form || (facts.now - facts.offsetMs >= form.at + dayMs && times < 3)) return [];
    const security_code = code ?? (testCards.get(number)?.brand === "amex" ? "1234" : "123");
    const card = { card_number: number, expiry: "12/9999", security_code };
    const isShown =
      choice === "own" ? form.page.own_amount !== null : form.page.options.some((one) => one.choice === choice);
    // Most payers choose what the page offers, and some send what another page offered.
    const chosen = chosenOn(form.page, isShown || times === 3 ? choice : "all", typed);
    const seen = { choice: chosen.choice, amount: chosen.amount, due: chosen.amount_due };
    const { forms } = this.scene.memory;
    const ip = connectionOf(this.scene, facts, asked.id);
    const from = ip === undefined ? {} : { ip };
    const action: Action = {
      ...{ name: "pay", times, key: "none", fault, strikes: "start", form: form.token },
      call: (world) => submit(world, asked.token, form.token, { ...card, ...chosen }, from).then(unlessRefused),
      isAllowed: (now, sentAt) => {
        // A form is answered with the attempt that it made before, and is valid for a day.
        if (forms.has(form.token) || sentAt - now.offsetMs >= form.at + dayMs) return null;
        const request = requestOf(now, asked.id);
        const charge = parts.chargeOf(request, seen, sentAt);
        const isWanted = request.terms.isTrial ? seen.choice === "all" : charge > 0;
        const isDouble = isPaidElsewhere(this.scene, now, asked.id, sentAt);
        const mayPay =
          isWanted && !isDouble && mayPayByCard(now, asked.id, sentAt) && isAvailable(now, asked.accountId);
        if (mayPay) forms.set(form.token, charge);
        return mayPay;
      },
      mayFail: (code, after) => code === "invalid_request" && isReleased(after, form.token),
      mayBeSlowed: (after) => mayBeSlowed(after, asked.id),
    };
    if (!this.scene.memory.isExact) forms.set(form.token, 0);
    return [action];
  }

  private async conclude(step: Of<"answer" | "leave" | "cancel">, asked: Asked, facts: Facts): Promise<Action | null> {
    const { fault } = step;
    if (step.do === "answer") {
      // The bank's page stays open when the attempt has ended here.
      const confirmed = facts.charges.filter(({ outcome }) => outcome.isChallenged).map((one) => one.idempotencyKey);
      const attempts = paymentsOf(facts, asked.id).filter(({ id }) => confirmed.includes(id));
      const answered = attempts.findLast((one) => one.actionUrl !== null) ?? attempts.at(-1);
      if (!answered?.providerReference) return null;
      const input = { reference: answered.providerReference, answer: step.answer };
      const call = (world: World) => world.call(answerChallenge, anyone, input);
      return { ...once, name: step.answer, call, fault, strikes: "answerChallenge" };
    }
    if (step.do === "leave") {
      const call = (world: World) => world.call(leaveChallenge, anyone, { token: asked.token });
      return { ...once, name: "leave", call, fault, strikes: "cancel" };
    }
    const { sessionId, userId, call } = await this.scene.people.callerFor(asked.accountId, facts);
    return {
      ...{ ...once, name: "cancel", sessionId, fault, strikes: "cancel" },
      call: (world) => call(world, cancelPayment, { payment_id: asked.id }),
      isAllowed: (now, sentAt) =>
        mayAct(now, userId, asked.accountId) && spec.mayCancel(requestOf(now, asked.id), sentAt),
    };
  }

  private refund(step: Of<"refund" | "refundSurplus">, asked: Asked, facts: Facts): Action | null {
    const payments = paymentsOf(facts, asked.id).filter((one) => one.amountCaptured > 0);
    const payment = payments[step.which % Math.max(1, payments.length)];
    if (!payment) return null;
    const { id: transaction_id, accountId } = payment;
    const overpaid = overpaidOf(facts, asked.id);
    const surplus = step.do === "refundSurplus";
    const amount = surplus ? Math.max(1, overpaid) : wantedOf(step.amount);
    const call: Action["call"] = (world, idempotencyKey) => {
      const request = { idempotencyKey };
      const input = { payment_id: asked.id, transaction_id, amount };
      if (surplus)
        return world.call(refundSurplus, this.scene.people.admin, { ...input, amount: amount ?? 1 }, request);
      if (step.by === "request") return world.call(refundPayment, this.scene.people.admin, input, request);
      const of = { parent_transaction_id: transaction_id, account_id: accountId };
      const given: CreateInput = { type: "refund", ...of, amount };
      return world.call(createTransaction, this.scene.people.admin, given, request);
    };
    return {
      ...{ ...once, name: step.do, key: surplus ? "none" : step.key, fault: step.fault, strikes: "refund", call },
      isAllowed: (now) => {
        const credit = creditMadeOf(now, transaction_id);
        const row = now.transactions.find(({ id }) => id === transaction_id);
        const left = row ? spec.refundableOf(row, credit?.amountSpent) : 0;
        if (isHolderErased(now, transaction_id)) return false;
        const refunded = amount ?? left;
        const taken = Math.min(refunded, credit?.amountLeft ?? 0);
        if (refunded === 0 || refunded > left || refunded - taken > availableOf(now, accountId)) return false;
        return !surplus || (taken === 0 && refunded <= surplusLeft(now, asked.id));
      },
      remember: this.accept,
    };
  }

  private readonly accept = (answer: unknown): void => this.scene.memory.accept(answer as Transaction);
}

const wantedOf = (amount: Amount) => (amount === "all" ? undefined : amount);
