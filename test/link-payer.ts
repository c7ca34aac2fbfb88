// Payers of reusable links in tests: each opens the page and sends its form, from an address of their own if they like.
import type * as z from "zod";
import { useLink } from "@/server/domains/payments/operations/use-link";
import type { CallRequest } from "@/server/kit/context";
import { anyone, ask, goodCard, openPage, type RequestFields } from "./payer";
import type { World } from "./world";

type Form = z.input<typeof useLink.input>;

/** Creates a reusable link for 12.50 EUR. */
export const askMany = (world: World, actor: Parameters<typeof ask>[1], fields: RequestFields = {}) =>
  ask(world, actor, { usage_limit: 10, description: "Cake course", ...fields });

/** What the page sends for a payer who changes nothing but the given fields. */
export async function linkForm(world: World, token: string, typed: Partial<Form> = {}): Promise<Form> {
  const page = await openPage(world, token);
  if (page.form_token === null) throw new Error(`The page shows no form: it is ${page.state}.`);
  return {
    ...{ token, form_token: page.form_token, name: "Grace Hopper", email: "grace@example.com", quantities: [] },
    ...{ amount: null, price: page.amount_due, ...goodCard },
    ...typed,
  };
}

/** Sends a form of a reusable link. */
export const sendUse = (world: World, form: Form, request?: Partial<CallRequest>) =>
  world.call(useLink, anyone, form, request);

/** Settings of a world whose links slow nobody down, however many cards fail. */
export const anyFailures = { PAY_FAILURES_PER_IP: "10000", PAY_FAILURES_PER_LINK: "10000", LINK_DECLINES: "10000" };

/** Opens the link and pays one use of it. */
export const payUse = async (world: World, token: string, typed: Partial<Form> = {}, request?: Partial<CallRequest>) =>
  sendUse(world, await linkForm(world, token, typed), request);
