// What must hold for a payment request at any moment, for tests of any kind.
import { readOne } from "./lives/facts";
import { checkMoney } from "./lives/money";
import type { World } from "./world";

/** Throws unless status, amounts, events and postings of the payment request follow from its transactions. */
export const expectOneTruth = async (
  world: World,
  paymentId: string,
  clock = { clockWasAhead: false },
): Promise<void> => checkMoney(await readOne(world, paymentId), clock);
