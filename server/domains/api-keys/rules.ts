// Pure rules of API keys: the scopes of bound keys, and the end of the previous secret.
import { boundScopes, scopes } from "@/server/access/key-scopes";
import { hourMs } from "@/server/kit/limits";

/** The scopes in the order of the access table, each once. */
export const inOrder = (given: readonly string[]): string[] => scopes.filter((scope) => given.includes(scope));

/** Those of the scopes that a key bound to one account cannot carry. */
export const notForBound = (given: readonly string[]): string[] =>
  inOrder(given).filter((scope) => !boundScopes.includes(scope));

interface Secret {
  hash: string;
  createdBy: string | null;
  rotatedBy: string | null;
}

/** The columns of the previous secret, which works for `hours` more; with 0 it ends at once. */
export const overlapOf = ({ hash, createdBy, rotatedBy }: Secret, hours: number, now: number) =>
  hours === 0
    ? { previousHash: null, previousBy: null, previousUntil: null }
    : { previousHash: hash, previousBy: rotatedBy ?? createdBy, previousUntil: now + hours * hourMs };
