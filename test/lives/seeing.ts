// A step in which the page that the payer has open reports that it was seen.
import { recordView } from "@/server/domains/payments/operations/record-view";
import { dayMs } from "@/server/kit/limits";
import { anyone } from "../payer";
import type { World } from "../world";
import type { Action } from "./calls";
import type { Facts } from "./facts";
import type { Scene } from "./scene";
import type { Step } from "./steps";

/** The call; none without an open page. Its form is valid for a day. */
export function seeing(scene: Scene, { request }: Extract<Step, { do: "see" }>): Action[] {
  const asked = scene.request(request);
  const form = asked?.form;
  if (!form) return [];
  const input = { token: asked.token, form_token: form.token };
  const call = (world: World) => world.call(recordView, anyone, input);
  const isAllowed = (_now: Facts, sentAt: number) => sentAt < form.at + dayMs;
  return [{ name: "see", times: 1, key: "none", fault: null, call, isAllowed }];
}
