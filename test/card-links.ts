// A customer in tests who changes the card of a subscription: the link, its page and its form.
import { answerChallenge } from "@/server/domains/payments/operations/challenge";
import { createCardLink } from "@/server/domains/subscriptions/operations/card-link";
import { viewCardPage } from "@/server/domains/subscriptions/operations/card-page";
import { changeCard } from "@/server/domains/subscriptions/operations/change-card";
import type { Actor } from "@/server/kit/context";
import { anyone, goodCard, tokenOf } from "./payer";
import type { World } from "./world";

/** The token of a new card link of the subscription. */
export async function cardLink(world: World, actor: Actor, subscription_id: string): Promise<string> {
  return tokenOf((await world.call(createCardLink, actor, { subscription_id })).url);
}

export const openCardPage = (world: World, token: string) => world.call(viewCardPage, anyone, { token });

/** The form token of a freshly loaded page; empty if it shows no form. */
export const cardFormToken = async (world: World, token: string): Promise<string> =>
  (await openCardPage(world, token)).subscription?.form_token ?? "";

export const submitCard = (world: World, token: string, form_token: string, typed = goodCard) =>
  world.call(changeCard, anyone, { token, form_token, ...typed });

/** Loads the page and sends its form. */
export const changeCardTo = async (world: World, token: string, typed = goodCard) =>
  submitCard(world, token, await cardFormToken(world, token), typed);

/** Answers the confirmation of the card that was sent last, as its holder does with the bank. */
export function answerBank(world: World, actionUrl: string | null, answer: "complete" | "fail" = "complete") {
  return world.call(answerChallenge, anyone, { reference: tokenOf(actionUrl), answer });
}
