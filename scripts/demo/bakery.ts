// Who buys what from the demo's bakery. Amounts are in minor units.

interface Customer {
  name: string;
  email: string;
}

const names = [
  "Grace Hopper",
  "Alan Turing",
  "Katherine Johnson",
  "Edsger Dijkstra",
  "Mary Jackson",
  "Dorothy Vaughan",
  "Grégoire Lefèvre",
  "Anna Müller",
  "José Ángel Núñez",
  "Zoë Ødegård",
  "Siobhán Ní Bhriain",
  "Łukasz Wiśniewski",
  "Hélène Dubois",
  "Jürgen Weiß",
  "Chidi Okonkwo",
  "Priya Raman",
  "Tomás Ó Súilleabháin",
  "Ingrid Sørensen",
  "Marta Kowalczyk",
  "Elif Yıldız",
  "Noah van den Berg",
  "Clara Bianchi",
  "Mateus Gonçalves",
  "Sofía Castellanos",
];

const companies = [
  "Kontor Elbe GmbH",
  "Hotel Alsterblick",
  "Studio Vaughan & Partners",
  "Kita Sonnenschein e. V.",
  "Nordlicht Events GmbH",
  "Reederei Petersen & Söhne",
  "Amt für Stadtentwicklung und Wohnen der Freien und Hansestadt Hamburg",
];

const emailOf = (name: string) =>
  `${name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("ß", "ss")
    .replaceAll("ı", "i")
    .replaceAll(/[^a-z ]/g, "")
    .trim()
    .replaceAll(/ +/g, ".")
    .slice(0, 40)}@example.com`;

const customersOf = (all: readonly string[]): Customer[] => all.map((name) => ({ name, email: emailOf(name) }));

export const people = customersOf(names);
export const firms = customersOf(companies);
export const japanese = customersOf(["Sato Yuki", "Tanaka Haruto", "Suzuki Aoi", "Kobayashi Ren"]);
export const kuwaiti = customersOf(["Fatima Al-Sabah", "Yousef Al-Mutairi", "Noor Al-Rashid"]);

export interface Article {
  name: string;
  unit_amount: number;
  tax_rate_bp?: number;
}

/** Sold to people, in EUR. */
export const cakes: readonly Article[] = [
  { name: "Birthday cake, chocolate", unit_amount: 4_850, tax_rate_bp: 700 },
  { name: "Wedding cake, three tiers", unit_amount: 42_000, tax_rate_bp: 700 },
  { name: "Sheet cake with plums", unit_amount: 2_690, tax_rate_bp: 700 },
  { name: "Panettone", unit_amount: 2_400, tax_rate_bp: 700 },
  { name: "Workshop: sourdough for beginners", unit_amount: 9_500, tax_rate_bp: 1_900 },
  { name: "Gift voucher", unit_amount: 5_000 },
];

/** Sold to companies, in EUR. */
export const catering: readonly Article[] = [
  { name: "Breakfast buffet, per person", unit_amount: 1_450, tax_rate_bp: 700 },
  { name: "Bread for the canteen, per week", unit_amount: 16_200, tax_rate_bp: 700 },
  { name: "Finger food, per person", unit_amount: 1_980, tax_rate_bp: 700 },
  { name: "Coffee and cake, per person", unit_amount: 1_120, tax_rate_bp: 700 },
];

export const delivery: Article = { name: "Delivery", unit_amount: 2_500, tax_rate_bp: 1_900 };

export const deposits = [
  "Deposit for the bakehouse, one evening",
  "Deposit for cake stands",
  "Deposit for a coffee bar",
];

export const inTokyo: readonly Article[] = [
  { name: "Melonpan, box of twelve", unit_amount: 3_600 },
  { name: "Christmas stollen", unit_amount: 4_800 },
  { name: "Class: German rye bread", unit_amount: 12_000 },
];

export const inKuwait: readonly Article[] = [
  { name: "Date cake", unit_amount: 8_750 },
  { name: "Petits fours, tray of forty", unit_amount: 24_500 },
  { name: "Brunch for ten", unit_amount: 61_250 },
];
