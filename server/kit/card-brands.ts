// The names of card brands as their holders know them.
const brands: Readonly<Record<string, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
};

/** The brand's name; undefined for one that has none here. */
export const brandName = (brand: string | null | undefined): string | undefined =>
  brand == null ? undefined : brands[brand];
