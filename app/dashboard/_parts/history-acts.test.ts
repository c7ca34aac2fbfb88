// Which events of a history are shown as one act.
import { expect, it } from "vitest";
import { actsOf } from "./history-acts";

const start = Date.parse("2026-11-23T10:00:00Z");
const grace = { type: "user", name: "Grace" };
const customer = { type: "anonymous", name: null };
let count = 0;

function event(seconds: number, type: string, object_id: string, actor: typeof grace | typeof customer | null = grace) {
  count += 1;
  const created_at = new Date(start + seconds * 1000).toISOString();
  return { event_id: `evt_${count}`, type, object_id, created_at, actor };
}

/** The types of the events of each act, the head first. */
const folded = (events: Parameters<typeof actsOf>[0], id = "pay_1") =>
  actsOf(events, id).map(({ head, more }) => [head, ...more].map(({ type }) => type));

it("a refund and what it changed are one act", () => {
  const events = [
    event(2, "payment.partially_refunded", "pay_1"),
    event(2, "refund.succeeded", "txn_2"),
    event(0, "refund.created", "txn_2"),
  ];
  expect(folded(events)).toEqual([["payment.partially_refunded", "refund.succeeded"]]);
});

it("steps before an outcome are left out, and kept while there is none", () => {
  const waiting = [
    event(1, "payment.requires_action", "pay_1", customer),
    event(1, "transaction.created", "txn_1", customer),
  ];
  expect(folded(waiting)).toEqual([["payment.requires_action", "transaction.created"]]);
  const paid = [
    event(5, "payment.paid", "pay_1", customer),
    event(5, "transaction.succeeded", "txn_1", customer),
    ...waiting,
  ];
  expect(folded(paid)).toEqual([["payment.paid", "transaction.succeeded"]]);
});

it("two attempts, two actors, and events far apart are different acts", () => {
  const attempts = [
    event(3, "transaction.failed", "txn_2", customer),
    event(2, "transaction.failed", "txn_1", customer),
  ];
  expect(folded(attempts)).toHaveLength(2);
  expect(folded([event(3, "payment.paid", "pay_1"), event(2, "transaction.failed", "txn_1", customer)])).toHaveLength(
    2,
  );
  expect(folded([event(20, "refund.failed", "txn_1"), event(9, "refund.created", "txn_1")])).toHaveLength(2);
  expect(folded([event(20, "refund.failed", "txn_1"), event(10, "refund.created", "txn_1")])).toHaveLength(1);
});

it("a declined attempt is an act of its own, however soon the next one succeeds", () => {
  const attempt = (seconds: number, id: string) => [
    event(seconds, "payment.processing", "pay_1", customer),
    event(seconds, "transaction.created", id, customer),
  ];
  const events = [
    event(5, "payment.paid", "pay_1", customer),
    event(5, "transaction.succeeded", "txn_2", customer),
    ...attempt(4, "txn_2"),
    event(1, "payment.attempt_failed", "pay_1", customer),
    event(1, "transaction.failed", "txn_1", customer),
    ...attempt(0, "txn_1"),
  ];
  expect(folded(events)).toEqual([
    ["payment.paid", "transaction.succeeded"],
    ["payment.attempt_failed", "transaction.failed"],
  ]);
});

it("the creation of a payment request is an act of its own", () => {
  const events = [
    event(1, "payment.paid", "pay_1"),
    event(1, "transaction.succeeded", "txn_1"),
    event(0, "payment.created", "pay_1"),
  ];
  expect(folded(events)).toEqual([["payment.paid", "transaction.succeeded"], ["payment.created"]]);
});

it("a transaction's own history leads with its outcome", () => {
  const events = [event(1, "transaction.succeeded", "txn_1"), event(0, "transaction.created", "txn_1")];
  expect(folded(events, "txn_1")).toEqual([["transaction.succeeded"]]);
});
