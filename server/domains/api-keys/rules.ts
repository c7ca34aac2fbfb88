// Pure rules of API keys: the scopes of bound keys, the end of the previous secret, and who may know a secret.
import { boundScopes, scopes } from "@/server/access/rules";
import { hourMs } from "@/server/kit/limits";

/** The scopes in the order of the access table, each once. */
export const inOrder = (given: readonly string[]): string[] => scopes.filter((scope) => given.includes(scope));

/** Those of the scopes that a key bound to one account cannot carry. */
export const notForBound = (given: readonly string[]): string[] =>
  inOrder(given).filter((scope) => !boundScopes.includes(scope));

/** The columns of the previous secret, which works for `hours` more; with 0 it ends at once. */
export const overlapOf = (hash: string, hours: number, now: number) =>
  hours === 0
    ? { previousHash: null, previousUntil: null }
    : { previousHash: hash, previousUntil: now + hours * hourMs };

interface Secrets {
  createdAt: number;
  rotatedAt: number | null;
  /** When the key's creator was removed; null while active. */
  creatorRemovedAt: number | null;
}

/** Whether someone who has left may still know the current secret: it was made before the creator was removed. */
export const isLeftBehind = ({ createdAt, rotatedAt, creatorRemovedAt }: Secrets): boolean =>
  creatorRemovedAt !== null && (rotatedAt ?? createdAt) <= creatorRemovedAt;
