// Steps of the page that the payer has open: it reports that it was seen, or asks for a new link.
import { issueFormToken } from "@/server/domains/payments/form-token";
import { recordView } from "@/server/domains/payments/operations/record-view";
import { requestLink } from "@/server/domains/payments/operations/request-link";
import { dayMs } from "@/server/kit/limits";
import { anyone } from "../payer";
import type { World } from "../world";
import type { Action } from "./calls";
import type { Facts } from "./facts";
import { isAvailable, requestOf } from "./questions";
import type { Scene } from "./scene";
import * as spec from "./spec";

/** The call that reports the view; none without an open page. Its form is valid for a day. */
export function seeing(scene: Scene, request: number): Action[] {
  const asked = scene.request(request);
  const form = asked?.form;
  if (!form) return [];
  const input = { token: asked.token, form_token: form.token };
  const call = (world: World) => world.call(recordView, anyone, input);
  const isAllowed = ({ offsetMs }: Facts, sentAt: number) => sentAt - offsetMs < form.at + dayMs;
  return [{ name: "see", times: 1, key: "none", fault: null, call, isAllowed }];
}

/** The call that asks for a new link, which only an expired payment request allows that can be extended. */
export function asking(scene: Scene, request: number): Action[] {
  const asked = scene.request(request);
  if (!asked?.token) return [];
  const { id, token, accountId } = asked;
  const call = (world: World) => {
    const form_token = issueFormToken(world.runtime.keys, "ask", token, world.clock.now());
    return world.call(requestLink, anyone, { token, form_token });
  };
  const isAllowed = (facts: Facts, sentAt: number) =>
    isAvailable(facts, accountId) &&
    requestOf(facts, id).terms.parentPaymentId === null &&
    spec.mayAskForLink(requestOf(facts, id), sentAt);
  return [{ name: "askForLink", times: 1, key: "none", fault: null, call, isAllowed }];
}
