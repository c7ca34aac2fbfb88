// Card links in lives: the merchant makes one for a subscription, and its customer stores another card with it.
import { answerChallenge } from "@/server/domains/payments/operations/challenge";
import { testCards } from "@/server/domains/providers/test-cards";
import { createCardLink } from "@/server/domains/subscriptions/operations/card-link";
import { changeCard, leaveCard } from "@/server/domains/subscriptions/operations/change-card";
import { dayMs } from "@/server/kit/limits";
import { hashToken, parseToken } from "@/server/secrets/secret";
import { openCardPage } from "../card-links";
import { anyone, tokenOf } from "../payer";
import type { World } from "../world";
import type { Action } from "./calls";
import type { Facts } from "./facts";
import { unlessRefused } from "./links";
import { isAvailable, mayAct, mayPayByCard } from "./questions";
import type { CardStep } from "./sandbox-steps";
import type { Scene } from "./scene";
import type { Step } from "./steps";
import { attemptsWith, isBusy } from "./stored-cards";

const once = { times: 1, key: "none", fault: null } as const;

/** A card link that somebody was told of, and a form of its page that is open in a tab. */
export interface CardLink {
  accountId: string;
  token: string;
  hash: string;
  form: { token: string; at: number } | null;
}

export const isCardStep = (step: Step): step is CardStep => /Card$/.test(step.do);

/** The call of a step; none if what it acts on does not exist. */
export async function changingCard(scene: Scene, step: CardStep, facts: Facts): Promise<Action[]> {
  if (step.do === "linkCard") return linking(scene, step.subscription, facts);
  const link = scene.cardLinks[step.link % Math.max(1, scene.cardLinks.length)];
  if (!link) return [];
  if (step.do === "enterCard") return entering(scene, link, step);
  if (step.do === "leaveCard") {
    const call = (world: World) => world.call(leaveCard, anyone, { token: link.token });
    return [{ ...once, name: "leave card", call, fault: step.fault, strikes: "cancel" }];
  }
  const reference = attemptsWith(facts, link.hash).findLast((one) => one.attemptReference !== null)?.attemptReference;
  const challenged = facts.charges.some((one) => one.reference === reference && one.outcome.isChallenged);
  if (!reference || !challenged) return [];
  const call = (world: World) => world.call(answerChallenge, anyone, { reference, answer: step.answer });
  return [{ ...once, name: `${step.answer} card`, call, fault: step.fault, strikes: "answerChallenge" }];
}

/** The merchant makes a link, which ends the one before. */
async function linking(scene: Scene, which: number, facts: Facts): Promise<Action[]> {
  const seen = facts.subscriptions[which % Math.max(1, facts.subscriptions.length)];
  if (!seen) return [];
  const { accountId } = seen;
  const { sessionId, userId, call } = await scene.people.callerFor(accountId, facts);
  return [
    {
      ...{ ...once, name: "link card", sessionId },
      call: (world) => call(world, createCardLink, { subscription_id: seen.id }),
      isAllowed: (now) => {
        const status = now.subscriptions.find(({ id }) => id === seen.id)?.status ?? "ended";
        return mayAct(now, userId, accountId) && !["incomplete", "canceled", "ended"].includes(status);
      },
      remember: (answer) => {
        const token = tokenOf((answer as { url: string | null }).url);
        const hash = hashToken(parseToken("cardLink", token) ?? "");
        scene.cardLinks.push({ accountId, token, hash, form: null });
      },
    },
  ];
}

/** The customer enters a card, in a tab of now or one that stayed open. */
async function entering(scene: Scene, link: CardLink, step: Extract<CardStep, { do: "enterCard" }>): Promise<Action[]> {
  const { world, memory } = scene;
  const at = world.clock.now();
  const page = await openCardPage(world, link.token);
  const token = page.subscription?.form_token ?? null;
  const fresh = token === null ? null : { token, at };
  const form = step.tab === "old" ? (link.form ?? fresh) : fresh;
  link.form = fresh ?? link.form;
  if (!form) return [];
  const security_code = step.code ?? (testCards.get(step.number)?.brand === "amex" ? "1234" : "123");
  const typed = { card_number: step.number, expiry: "12/9999", security_code };
  if (!memory.isExact) memory.forms.set(form.token, 0);
  return [
    {
      ...{ ...once, name: "enter card", times: step.times, fault: step.fault, strikes: "start" },
      call: (sending) =>
        sending.call(changeCard, anyone, { token: link.token, form_token: form.token, ...typed }).then(unlessRefused),
      isAllowed: (now, sentAt) => {
        // A form is answered with the attempt that it made before, and is valid for a day.
        if (memory.forms.has(form.token) || sentAt - now.offsetMs >= form.at + dayMs) return null;
        const mayEnter = mayEnterCard(now, link, sentAt);
        if (mayEnter) memory.forms.set(form.token, 0);
        return mayEnter;
      },
    },
  ];
}

/** The rules of card links a second time. */
function mayEnterCard(facts: Facts, { hash, accountId }: CardLink, at: number): boolean {
  const link = facts.cardLinks.find((one) => one.hash === hash);
  const row = facts.subscriptions.find(({ id }) => id === link?.subscriptionId);
  if (!link || !row || link.usedAt !== null || at - facts.offsetMs >= link.expiresAt) return false;
  if (row.status === "canceled" || row.status === "ended" || isBusy(facts, hash)) return false;
  // A renewal that failed is paid on its own page.
  const isUnpaid = row.failedAt !== null && mayPayByCard(facts, row.latestPaymentId, at);
  return isAvailable(facts, accountId) && !isUnpaid;
}
