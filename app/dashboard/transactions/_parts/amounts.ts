// What a transaction moves: of a payment of which less was captured than its amount, that is what was captured.
import type { Outputs } from "@/app/_trpc/server";

type Amounts = Pick<
  Outputs["transactions"]["list"]["data"][number],
  "type" | "direction" | "amount" | "amount_captured"
>;

/** Whether less was captured of a payment than its amount; the rest was released. */
export const isPartlyCaptured = ({ type, amount, amount_captured }: Omit<Amounts, "direction">): boolean =>
  type === "payment" && amount_captured > 0 && amount_captured < amount;

/** Minor units without a sign. */
export const movedAmount = (row: Omit<Amounts, "direction">): number =>
  isPartlyCaptured(row) ? row.amount_captured : row.amount;

/** Minor units; what goes out has a minus sign. */
export const signed = (row: Amounts): number => (row.direction === "out" ? -movedAmount(row) : movedAmount(row));
