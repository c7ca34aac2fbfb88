// Known flaws, each put back into the product for one run of the soak, which must then find a violation.
import path from "node:path";

const isRefunded = "facts.attempts.some(({ amountRefunded }) => amountRefunded > 0)";

/** By the name under which `npm run soak -- --flaw <name>` plants it. */
export const flaws = {
  "hidden-attempt": {
    title: "after a refund, an attempt in progress does not keep a second card from paying",
    file: "server/domains/payments/rules.ts",
    original: "if (facts.attempts.some((attempt) => isUnderWay(attempt) && !hasLapsed(attempt, now)))",
    flawed: `if (!${isRefunded} && facts.attempts.some((attempt) => isUnderWay(attempt) && !hasLapsed(attempt, now)))`,
  },
  "reopened-link": {
    title: "after a refund, an expired payment request can be paid",
    file: "server/domains/payments/rules.ts",
    original: "if (hasExpired(facts, now)) return",
    flawed: `if (!${isRefunded} && hasExpired(facts, now)) return`,
  },
  "late-charge": {
    title: "a charge that was given up is made when its request arrives late",
    file: "server/domains/transactions/look-up.ts",
    original: "return provider.giveUp({ idempotencyKey: id, amount, currency, captureMethod }, signal);",
    flawed: `return { kind: "charge", reference: null, status: "declined", amountCaptured: 0, actionUrl: null, method: null,
      failure: { code: "not_received", message: "" } };`,
  },
  "closed-hold": {
    title: "an authorization that is no longer open decides until when a later one can be captured",
    file: "server/domains/payments/from-attempts.ts",
    original: `status === "authorized" && captureBefore !== null ? [captureBefore] : [],`,
    flawed: "status && captureBefore !== null ? [captureBefore] : [],",
  },
};

/** A plugin of Vite that puts the flaw into its module. Throws if the module no longer has the replaced text. */
export function planting(name) {
  const flaw = flaws[name];
  if (!flaw) throw new Error(`There is no flaw ${name}. Known: ${Object.keys(flaws).join(", ")}.`);
  const module = path.resolve(import.meta.dirname, "..", flaw.file);
  return {
    name: "flaw",
    enforce: "pre",
    transform(code, id) {
      if (id !== module) return null;
      if (!code.includes(flaw.original)) throw new Error(`${flaw.file} has changed: the flaw ${name} does not fit.`);
      return code.replace(flaw.original, flaw.flawed);
    },
  };
}
