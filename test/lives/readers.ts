// What merchants and payers see of payment requests must follow from the facts, and seeing it must change nothing.
import { getPayment } from "@/server/domains/payments/operations/get";
import { openPage } from "../payer";
import type { Facts } from "./facts";
import { isAvailable, mayPayByCard, requestOf } from "./questions";
import type { Scene } from "./scene";
import * as spec from "./spec";
import * as parts from "./spec-parts";
import { must, mustEqual } from "./violation";

/**
 * Invariants 9 and 20, as the API and the pay page show them. A payment request is read again only after its rows, its
 * account or what the rules say about it has changed: `seen` has what was read last.
 */
export async function checkReaders(scene: Scene, facts: Facts, seen: Map<string, string>) {
  const { world, requests, acme } = scene;
  for (const asked of requests) {
    const { id, accountId } = asked;
    const request = requestOf(facts, id);
    const { now } = facts;
    const mayPay = isAvailable(facts, accountId) && mayPayByCard(facts, id, now);
    const expected = { status: spec.statusOf(request, now), due: spec.dueOf(request), mayPay };
    const state = JSON.stringify([expected, request]);
    if (seen.get(id) === state) continue;
    seen.set(id, state);
    const shown = await world.call(getPayment, acme.admin.actor, { payment_id: id });
    mustEqual([shown.status, shown.amount_due], [expected.status, expected.due], "9", `${id} as the API shows it`);
    const left = shown.installments?.map((one) => one.amount - one.amount_paid) ?? [];
    mustEqual(left, parts.leftOf(request), "8", `${id}: what is left of its installments`);
    must((shown.payment_url === null) === (request.terms.draft !== null), "9", `${id}: only a draft has no link`);
    scene.noteLink(asked, shown.payment_url);
    if (shown.payment_url === null) continue;
    const page = await openPage(world, asked.token);
    for (const { choice, amount } of page.options) {
      if (!mayPay || request.terms.isTrial) break;
      const seen = { choice, amount, due: expected.due };
      mustEqual(parts.chargeOf(request, seen, now), amount, "20", `${id}: ${choice}, which its pay page offers`);
    }
    must((page.form_token !== null) === mayPay, "20", `the pay page of ${id} is ${page.state}; may pay: ${mayPay}`);
    const waits = shown.status === "requires_action";
    must(!waits || page.action_url !== null, "9", `the pay page of ${id} does not lead back to the confirmation`);
  }
}
