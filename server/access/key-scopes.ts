// The scopes of API keys, from the access table.
import type { AccessRule } from "../kit/operation";
import { rules } from "./rules";

const scopesOf = (given: readonly AccessRule[]): readonly string[] => [
  ...new Set(given.flatMap((rule) => (rule.apiKey && rule.apiKey !== "any" ? [rule.apiKey] : []))),
];

/** The scopes that an API key can carry. */
export const scopes = scopesOf(Object.values(rules));

/** The scopes with which a key that is bound to one account can do anything at all. */
export const boundScopes = scopesOf(Object.values(rules).filter(({ boundApiKey }) => boundApiKey !== "none"));
