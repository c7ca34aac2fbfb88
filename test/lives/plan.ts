// Plans of installments in lives.

/** Three installments of the amount, as a call sends them; null if it is too small for three. */
export function installmentsOf(amount: number, dueAt: (which: number) => number) {
  const third = Math.floor(amount / 3);
  if (third === 0) return null;
  return [third, third, amount - 2 * third].map((part, i) => ({
    ...{ amount: part, due_at: new Date(dueAt(i)).toISOString() },
  }));
}
