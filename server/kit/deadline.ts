// Until when payers are asked to pay what expires.
import { dayMs, minuteMs } from "./limits";

/**
 * An instant of the last whole day before the expiry, epoch ms: a customer who comes in the evening must not be late by
 * hours. Null in the last two days before the expiry, when its time matters.
 */
export const lastWholeDay = (expiresAt: number, now: number): number | null =>
  expiresAt - now < 2 * dayMs ? null : expiresAt - dayMs + minuteMs;
