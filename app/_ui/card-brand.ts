// The brand of a card as it is written: cardBrand("visa") is "Visa".

const names: Readonly<Record<string, string>> = { diners: "Diners Club", jcb: "JCB", unionpay: "UnionPay" };

/** The name of the brand; one without a name here gets a capital letter. */
export const cardBrand = (brand: string): string => names[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1);
