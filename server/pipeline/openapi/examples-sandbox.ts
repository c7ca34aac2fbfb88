// Examples of the sandbox.
import { payment } from "./example-payment";
import type { OperationExamples } from "./story";

const clock = { now: "2026-11-27T14:05:00.000Z", offset_ms: 604_800_000, running: false };

export const sandboxExamples: Readonly<Record<string, OperationExamples>> = {
  "sandbox.clock": { response: clock },
  "sandbox.moveClock": {
    requests: {
      advance: { advance: "P7D" },
      set: { set: "2027-01-01T00:00:00.000Z" },
    },
    response: clock,
  },
  "sandbox.events": { response: { payment_id: payment.payment_id, events: ["refund_fail", "dispute"] } },
  "sandbox.simulate": {
    requests: { settle: { event: "settle" }, refund_fail: { event: "refund_fail" }, dispute: { event: "dispute" } },
    response: payment,
  },
  "sandbox.storm": {
    requests: { shuffled: { duplicates: 5, shuffle: true }, default: {} },
    response: { transactions: 12, sent: 60, changed: 0 },
  },
};
