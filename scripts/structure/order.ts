// The direction of imports: the order of the layers, from db up to app, and that of the domains. A file may import only
// from its own layer and domain, and from those listed before them.

const layers: [layer: string, pattern: RegExp][] = [
  ["db", /^db(\/|$)/],
  ["the machinery of server/", /^server\/(kit|process|secrets|fairness)(\/|$)/],
  ["server/access", /^server\/access(\/|$)/],
  ["server/domains", /^server\/domains(\/|$)/],
  ["server/pipeline", /^server\/pipeline(\/|$)/],
  ["server/backup", /^server\/backup(\/|$)/],
  ["server/background", /^server\/background(\/|$)/],
  ["server/http and server/hosted", /^server\/(http|hosted)(\/|$)/],
  ["the entry programs", /^server\/[^/]+$/],
  ["app", /^(app\/|proxy|instrumentation)/],
];

/** What a lower domain needs from a higher one is a step, which server/domains/steps.ts supplies. */
const domains = [
  "records",
  "jobs",
  "ledger",
  "providers",
  "organizations",
  "mails",
  "users",
  "accounts",
  "api-keys",
  "factors",
  "sessions",
  "addresses",
  "invitations",
  "onboarding",
  "customers",
  "transactions",
  "payments",
  "entries",
  "subscriptions",
  "outbox",
  "timeline",
  "search",
  "overview",
  "views",
  "closing",
  "sandbox",
  "restores",
  "instance",
];

/** The domain that a file or folder belongs to; null outside the domains' folders. */
export const domainOf = (path: string): string | null => /^server\/domains\/([^/.]+)(\/|$)/.exec(path)?.[1] ?? null;

/** Why `from` must not use `to`, both files or folders; null if it may. */
export function faultOfDirection(from: string, to: string): string | null {
  const [lower, upper] = [layerOf(from), layerOf(to)];
  if (/^(server|app)\//.test(from) && lower === -1) return "a new folder needs its place in the order of layers";
  if (lower !== -1 && upper > lower) return `${layers[lower]?.[0]} must not use ${layers[upper]?.[0]}`;
  const [own, other] = [domainOf(from), domainOf(to)];
  if (own === null || other === null || own === other) return null;
  if (!domains.includes(own) || !domains.includes(other)) return "a new domain needs its place in the order of domains";
  return domains.indexOf(other) < domains.indexOf(own) ? null : `${own} comes before ${other} and must not use it`;
}

const layerOf = (path: string) => layers.findIndex(([, pattern]) => pattern.test(path));
