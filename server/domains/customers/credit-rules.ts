// Rules of customers' credit that need no database: which credits a movement takes from, and which it gives back to.

/** What is left of a credit, or what can be given back to it, in minor units. */
export interface Share {
  /** The credit: the payment whose surplus it was. */
  id: string;
  amount: number;
}

/** Takes `amount` from the shares in order, each as far as it goes. They must hold at least that. */
export function drawn(shares: readonly Share[], amount: number): Share[] {
  const taken: Share[] = [];
  let left = amount;
  for (const share of shares) {
    const part = Math.min(left, share.amount);
    if (part > 0) taken.push({ id: share.id, amount: part });
    left -= part;
  }
  if (left > 0) throw new RangeError(`The credits hold ${left} less than is taken from them.`);
  return taken;
}

/** The sum of shares. */
export const sumOf = (shares: readonly Share[]): number => shares.reduce((sum, { amount }) => sum + amount, 0);
