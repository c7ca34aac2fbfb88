// Reusable links in lives: a payer uses one, its merchant cancels one, and what must hold for links and their uses.
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { extendPayment } from "@/server/domains/payments/operations/extend";
import { getPayment } from "@/server/domains/payments/operations/get";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import type { PaymentRow } from "@/server/domains/payments/store";
import { testCards } from "@/server/domains/providers/test-cards";
import type { TransactionRow } from "@/server/domains/transactions/present";
import { Failure } from "@/server/kit/errors";
import { dayMs } from "@/server/kit/limits";
import { sendUse } from "../link-payer";
import { openPage } from "../payer";
import type { World } from "../world";
import type { Action } from "./calls";
import { type EventRow, type Facts, type MoneyFacts, paymentsOf } from "./facts";
import { isReleased, linkIn, noteConnection } from "./link-facts";
import { payerOf } from "./offers";
import { isAvailable, isOpen } from "./questions";
import type { Scene } from "./scene";
import * as spec from "./spec-links";
import type { Step } from "./steps";
import { must, mustEqual } from "./violation";

/** A form of which nothing was charged, as a refusal. */
export function unlessRefused<T extends { result: string; problems: readonly string[] }>(answer: T): T {
  if (answer.result === "refused") throw new Failure("invalid_request", 400, answer.problems.join());
  return answer;
}

type LinkStep = Extract<Step, { do: "use" | "cancelLink" | "extendLink" | "pauseLink" }>;

export const isLinkStep = (step: Step): step is LinkStep =>
  ["use", "cancelLink", "extendLink", "pauseLink"].includes(step.do);

/** The calls of a step; none if what it acts on does not exist. */
export async function onLink(scene: Scene, step: LinkStep, facts: Facts): Promise<Action[]> {
  if (step.do === "use") return using(scene, step, facts);
  if (step.do === "pauseLink") return pausingLink(scene, step);
  return step.do === "cancelLink" ? cancelingLink(scene, step.link) : extendingLink(scene, step, facts);
}

/** A payer opens a link, chooses, and pays with a new payment request. */
async function using(scene: Scene, step: Extract<Step, { do: "use" }>, facts: Facts): Promise<Action[]> {
  const link = scene.link(step.link);
  if (!link) return [];
  const page = await openPage(scene.world, link.token);
  const { form_token: form, link: choice } = page;
  if (form === null || choice === null) return [];
  const security_code = step.code ?? (testCards.get(step.number)?.brand === "amex" ? "1234" : "123");
  const card = { card_number: step.number, expiry: "12/9999", security_code };
  const { email, ip } = payerOf(step, link.accountId, form);
  const { forms } = scene.memory;
  const quantities = choice.quantities.map(({ line }) => ({ line, quantity: step.seats }));
  const chosen = { quantities, amount: choice.custom_amount === null ? null : step.typed };
  // A form that is sent without a look at the total shows what the page proposed.
  const total = spec.sumOf(linkIn(facts, link.id), chosen);
  const price = step.sees === "total" ? (total ?? page.amount_due) : page.amount_due;
  noteConnection(scene, form, ip);
  if (!scene.memory.isExact) forms.set(form, 0);
  return [
    {
      ...{ name: "use", times: step.times, key: "none", fault: step.fault, strikes: "start", form },
      async call(world) {
        const typed = { token: link.token, form_token: form, ...chosen, price, name: "", email, ...card };
        return unlessRefused(await sendUse(world, typed, { ip }));
      },
      isAllowed(now, sentAt) {
        // A form is valid for a day.
        if (forms.has(form) || sentAt >= facts.now + dayMs) return null;
        const known = linkIn(now, link.id, scene.connections);
        const cost = spec.priceOf(known, chosen);
        // Nothing is charged that the payer has not seen or typed.
        const isSeen = cost !== null && (cost === price || choice.custom_amount !== null);
        const mayUse = spec.mayUse(known, sentAt) && isAvailable(now, link.accountId) && isSeen;
        const isHeldBack = spec.isHeldBack(known, { email, connection: ip }, sentAt);
        if (!mayUse || isHeldBack) return false;
        forms.set(form, cost);
        return true;
      },
      mayFail: (code, after) => code === "invalid_request" && isReleased(after, form),
      mayBeSlowed: (after) => spec.maySlow(linkIn(after, link.id)),
    },
  ];
}

/** The admin pauses a link, or resumes it. */
function pausingLink(scene: Scene, { link: which, paused }: Extract<Step, { do: "pauseLink" }>): Action[] {
  const link = scene.link(which);
  if (!link) return [];
  const input = { payment_id: link.id, paused };
  return [
    {
      ...{ name: "pauseLink", times: 1, key: "none", fault: null },
      call: (world: World) => world.call(updatePaymentRequest, scene.people.admin, input),
      isAllowed: (now, sentAt) => mayDecide(now, link, sentAt),
    },
  ];
}

/** Whether the link is open, and so is its account. */
const mayDecide = (facts: Facts, { id, accountId }: { id: string; accountId: string }, at: number): boolean =>
  spec.statusOf(linkIn(facts, id), at) === "pending" && isOpen(facts, accountId);

/** The admin cancels a link. */
function cancelingLink(scene: Scene, which: number): Action[] {
  const link = scene.link(which);
  if (!link) return [];
  return [
    {
      ...{ name: "cancelLink", times: 1, key: "none", fault: null },
      call: (world: World) => world.call(cancelPayment, scene.people.admin, { payment_id: link.id }),
      isAllowed: (now, sentAt) => mayDecide(now, link, sentAt),
    },
  ];
}

/** The admin extends a link. */
function extendingLink(scene: Scene, { link: which, ms }: Extract<Step, { do: "extendLink" }>, facts: Facts): Action[] {
  const link = scene.link(which);
  if (!link) return [];
  const until = facts.now + ms;
  const input = { payment_id: link.id, expires_at: new Date(until).toISOString() };
  return [
    {
      ...{ name: "extendLink", times: 1, key: "none", fault: null },
      call: (world: World) => world.call(extendPayment, scene.people.admin, input),
      isAllowed: (now, sentAt) =>
        spec.mayExtend(linkIn(now, link.id), sentAt, until) && isAvailable(now, link.accountId),
    },
  ];
}

/** Whether money of the use came after its charge had failed, so that its place was given back meanwhile. */
const cameLate = (facts: MoneyFacts, payments: readonly TransactionRow[]): boolean =>
  payments.some(({ id, amountCaptured }) => amountCaptured > 0 && facts.events.some((event) => hadEnded(event, id)));

const hadEnded = ({ objectId, type }: EventRow, id: string): boolean =>
  objectId === id && (type === "transaction.failed" || type === "transaction.canceled");

/** The limit of a link holds unless money came late; then the payers beyond it are flagged. */
function checkLimit(facts: MoneyFacts, row: PaymentRow): void {
  const link = linkIn(facts, row.id);
  const late = link.uses.filter(({ payments }) => cameLate(facts, payments)).length;
  const isWithin = row.usageLimit === null || row.usesCount + row.usesReserved <= row.usageLimit + late;
  must(
    isWithin,
    "26",
    `${row.id} has ${row.usesCount} + ${row.usesReserved} of ${row.usageLimit} places, ${late} late`,
  );
  const flagged = link.uses.filter(({ row: use }) => use.overLimitAt !== null).map(({ row: use }) => use.id);
  mustEqual(flagged.length, spec.excessOf(link), "26", `${row.id}: uses beyond the limit`);
  const announced = facts.events.filter(({ type }) => type === "payment.over_limit");
  for (const { row: use, payments } of link.uses) {
    must(use.overLimitAt === null || cameLate(facts, payments), "26", `${use.id} held its place in time`);
    const count = announced.filter(({ objectId }) => objectId === use.id).length;
    mustEqual(count, flagged.includes(use.id) ? 1 : 0, "26", `${use.id}: events beyond the limit`);
  }
}

/** What a link's row must say: its counts and sums follow from its uses, and it has no money of its own. */
export function checkLink(facts: MoneyFacts, row: PaymentRow): void {
  const link = linkIn(facts, row.id);
  mustEqual(paymentsOf(facts, row.id), [], "8", `${row.id}: transactions of a link itself`);
  const expected = { ...spec.countsOf(link), status: spec.statusOf(link, row.updatedAt) };
  for (const [name, value] of Object.entries(expected)) {
    mustEqual(row[name as keyof typeof expected], value, name === "status" ? "9" : "8", `${row.id} ${name}`);
  }
  const events = facts.events.filter(({ objectId }) => objectId === row.id);
  mustEqual(events.at(-1)?.data.status, row.status, "10", `${row.id} status in its last event`);
  checkLimit(facts, row);
  checkPayers(link, row);
  for (const { row: use, payments } of link.uses) {
    must(use.id > row.id, "26", `${use.id} is locked before its link`);
    mustEqual(use.place, spec.placeOf(payments), "26", `${use.id} place`);
    mustEqual(use.isIdle, use.place === null, "26", `${use.id} is asked for although it has no place`);
    const goesOn = row.canceledAt !== null && use.place === null && use.status === "pending";
    must(!goesOn, "26", `${use.id} goes on although its link is canceled`);
    checkChoice(row, use);
    // A payer who has paid is a customer. One who only tried is a customer if somebody has named the address elsewhere.
    const hasPaid = payments.some((one) => one.amountCaptured > 0 || one.status === "authorized");
    must(!hasPaid || use.customerId !== null, "26", `the payer of ${use.id} has no customer`);
  }
}

/** One payer has one payment under way, and nobody more unconfirmed ones than a connection may hold. */
function checkPayers(link: spec.Link, { id, usageLimit }: PaymentRow): void {
  const held = spec
    .usesInDoubt(link)
    .flatMap(({ row, payments }) => (row.payerKey === null ? [] : [{ row, payments }]));
  const payers = held.map(({ row }) => `${row.payerKey} ${row.customer?.email?.toLowerCase()}`);
  must(new Set(payers).size === payers.length, "26", `${id}: two payments of one payer are under way`);
  for (const key of usageLimit === null ? [] : new Set(held.map(({ row }) => row.payerKey))) {
    const isWaiting = ({ status }: TransactionRow) => status === "requires_action";
    const own = held.filter(({ row, payments }) => row.payerKey === key && payments.some(isWaiting));
    const kept = own.filter(({ row }) => row.canceledAt === null).length;
    must(kept <= spec.mostHeld(usageLimit ?? 0), "26", `${id}: one connection holds ${kept} places by confirmations`);
  }
}

/** A use is for what its link offers: the same lines, quantities and amounts within their bounds, and their sum. */
function checkChoice({ id, amount, lineItems, customAmount }: PaymentRow, use: PaymentRow): void {
  mustEqual(amount === null, customAmount !== null, "26", `${id} has an amount unless its payers choose it`);
  if (customAmount !== null) {
    const isWithin = use.amount !== null && use.amount >= customAmount.minimum && use.amount <= customAmount.maximum;
    must(isWithin && use.lineItems.length === 0, "26", `${use.id} costs ${use.amount}, which ${id} does not offer`);
    return;
  }
  const offered = lineItems.map(({ name, unit_amount }) => ({ name, unit_amount }));
  const bought = use.lineItems.map(({ name, unit_amount }) => ({ name, unit_amount }));
  mustEqual(bought, offered, "26", `lines of ${use.id}`);
  let sum = lineItems.length === 0 ? (amount ?? 0) : 0;
  for (const [i, { quantity, unit_amount }] of use.lineItems.entries()) {
    const { minimum, maximum } = lineItems[i]?.adjustable_quantity ?? {
      minimum: lineItems[i]?.quantity ?? 0,
      maximum: lineItems[i]?.quantity ?? 0,
    };
    must(quantity >= minimum && quantity <= maximum, "26", `${use.id} has ${quantity} of line ${i}`);
    sum += quantity * unit_amount;
  }
  mustEqual(use.amount, sum, "26", `${use.id}: the sum of its lines`);
}

/** Links as the API and their page show them. */
export async function checkLinkReaders({ world, links, acme, movedAlone }: Scene, facts: Facts): Promise<void> {
  for (const { id, token, accountId } of links) {
    const link = linkIn(facts, id);
    const { now } = facts;
    const shown = await world.call(getPayment, acme.admin.actor, { payment_id: id });
    mustEqual([shown.status, shown.amount_due], [spec.statusOf(link, now), 0], "9", `${id} as the API shows it`);
    for (const { row: use } of link.uses) {
      const hasEnded = use.place === "taken" || use.canceledAt !== null;
      const isFree = hasEnded || movedAlone.has(use.id);
      must(isFree || use.expiresAt === link.terms.expiresAt, "26", `${use.id} does not expire with its link`);
    }
    const mayUse = spec.mayUse(link, now) && isAvailable(facts, accountId);
    const page = await openPage(world, token);
    must((page.form_token !== null) === mayUse, "26", `the page of ${id} is ${page.state}; may be used: ${mayUse}`);
  }
}
