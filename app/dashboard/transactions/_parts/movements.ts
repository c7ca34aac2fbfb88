// The movements of money that a person makes by hand, besides payments received.

export const movements = ["transfer", "credit", "adjustment"] as const;
export type Movement = (typeof movements)[number];
