// Short commands for tests: what merchants do with payment requests.
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { paymentStatus } from "@/server/domains/payments/operations/status";
import type { Actor } from "@/server/kit/context";
import type { World } from "./world";

export const cancelRequest = (world: World, actor: Actor, payment_id: string) =>
  world.call(cancelPayment, actor, { payment_id });

/** Captures the amount in minor units, or all that is authorized. */
export const captureRequest = (world: World, actor: Actor, payment_id: string, amount?: number) =>
  world.call(capturePayment, actor, { payment_id, amount });

/** Refunds the rest of the payment request's payment. */
export const refundRequest = (world: World, actor: Actor, payment_id: string) =>
  world.call(refundPayment, actor, { payment_id });

export const statusOf = (world: World, actor: Actor, payment_id: string) =>
  world.call(paymentStatus, actor, { payment_id });
