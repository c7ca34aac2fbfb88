// What waits for somebody's attention in lives: a payer asks for a new link, a provider reports what cannot be booked;
// an admin says that it is done.
import { dismissLinkRequest } from "@/server/domains/payments/operations/dismiss-link-request";
import type { ProviderResult } from "@/server/domains/providers/provider";
import { inBackground } from "@/server/domains/records/in-background";
import { dismissDispute } from "@/server/domains/transactions/operations/unexpected-disputes";
import { settle } from "@/server/domains/transactions/settle";
import type { World } from "../world";
import type { Action } from "./calls";
import { type Facts, paymentsOf } from "./facts";
import type { Asked, Scene } from "./scene";
import type { Step } from "./steps";
import { mustEqual } from "./violation";

type Row = Facts["transactions"][number];

const once = { times: 1, key: "none", fault: null } as const;

const isTaken = ({ provider, amountCaptured }: Row): boolean => provider !== null && amountCaptured > 0;

/** The provider reports a dispute of more than a payment took, which cannot be booked. */
export function reportingOddly(scene: Scene, step: Extract<Step, { do: "reportOddly" }>, facts: Facts): Action[] {
  const asked = scene.request(step.request, ({ id }) => paymentsOf(facts, id).some(isTaken));
  const row = asked && facts.transactions.find((one) => one.paymentId === asked.id && isTaken(one));
  if (!row) return [];
  const call = async (world: World) => {
    const result = (await scene.resultOf(row.id)) as Extract<ProviderResult, { kind: "charge" }>;
    const dispute = { reference: "dp_odd", status: "open", currency: row.currency } as const;
    const amount = row.amountCaptured + step.more;
    await inBackground(await scene.runtimeOf(world), "test.settle", async (ctx) => {
      ctx.audit({ target: row.id });
      await settle(ctx, row.id, { ...result, dispute: { ...dispute, amount } });
    });
  };
  return [{ ...once, name: "report oddly", call }];
}

const lastOf = ({ events }: Facts, id: string, type: string): number | undefined =>
  events.findLast((event) => event.objectId === id && event.type === type)?.createdAt;

/** Whether the payer asked for a new link since somebody said that it is done, or made a copy of the request. */
const isAskedFor = ({ done }: Scene, facts: Facts, id: string): boolean =>
  (lastOf(facts, id, "payment.link_requested") ?? 0) > (done.get(id) ?? 0);

/** Whether a report waits that came after what somebody has read and said is done. */
const isReported = ({ done }: Scene, facts: Facts, id: string): boolean =>
  (lastOf(facts, id, "dispute.unexpected") ?? 0) > (done.get(id) ?? 0);

/** Notes that what waited about the object until this instant is done. */
export const noteDone = ({ done }: Scene, id: string, at: number): void => {
  done.set(id, Math.max(at, done.get(id) ?? 0));
};

/** The call that says that it is done; none if what it acts on does not exist. */
export function dismissing(scene: Scene, step: Extract<Step, { do: "dismiss" }>, facts: Facts): Action[] {
  const { admin } = scene.people;
  const reported = facts.transactions.filter(({ unexpectedDispute }) => unexpectedDispute !== null);
  const likes = ({ id }: Asked) =>
    step.what === "link" ? isAskedFor(scene, facts, id) : reported.some(({ paymentId }) => paymentId === id);
  const asked = scene.request(step.request, likes);
  const id = step.what === "link" ? asked?.id : reported.find(({ paymentId }) => paymentId === asked?.id)?.id;
  if (id === undefined) return [];
  const reported_at = new Date(facts.now).toISOString();
  let expected: boolean | null = null;
  let doneAt = facts.now;
  return [
    {
      ...{ ...once, name: `dismiss ${step.what}` },
      call: (world) =>
        step.what === "link"
          ? world.call(dismissLinkRequest, admin, { payment_id: id })
          : world.call(dismissDispute, admin, { transaction_id: id, reported_at }),
      isAllowed: (now, sentAt) => {
        if (step.what === "dispute") {
          const at = lastOf(now, id, "dispute.unexpected");
          expected = isReported(scene, now, id) && at !== undefined && at <= doneAt;
        } else {
          doneAt = sentAt;
          // A copy that is made meanwhile answers the payer before or after.
          expected = scene.copying.has(id) ? null : isAskedFor(scene, now, id);
        }
        // Noted now, because another call may dismiss the same before this one is judged.
        if (expected) noteDone(scene, id, doneAt);
        return true;
      },
      remember: (answer) => {
        const { dismissed } = answer as { dismissed: boolean };
        if (expected !== null) mustEqual(dismissed, expected, "32", `whether ${id} was dismissed`);
        if (dismissed) noteDone(scene, id, doneAt);
      },
    },
  ];
}

/** Invariant 32: exactly what came since it was last said to be done waits for attention. */
export function checkWaiting(scene: Scene, facts: Facts): void {
  for (const { id, linkRequestedAt, linkAnsweredAt } of facts.payments) {
    const waits = (linkRequestedAt ?? 0) > (linkAnsweredAt ?? 0);
    mustEqual(waits, isAskedFor(scene, facts, id), "32", `whether ${id} waits for a new link`);
  }
  for (const { id, unexpectedDisputeAt, unexpectedDispute } of facts.transactions) {
    const waits = isReported(scene, facts, id);
    mustEqual(unexpectedDisputeAt !== null, waits, "32", `whether an odd report about ${id} waits`);
    const isKnown = lastOf(facts, id, "dispute.unexpected") !== undefined;
    mustEqual(unexpectedDispute !== null, isKnown, "32", `whether an odd report about ${id} is kept`);
  }
}
