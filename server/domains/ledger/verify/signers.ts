// The server keys behind the signatures of checkpoints and seals.
import { expectThat, type Fault } from "./fault";
import type { Row } from "./snapshot-store";

type Keys = readonly { id: string; key: Buffer }[];
type Place = Omit<Fault, "message">;

/** The installation's server keys, by the id stored beside each signature. */
export interface VerificationKeys {
  /** The keys of SECRET_KEY. */
  all: Keys;
  /** The keys of SECRET_KEY_RETIRED: valid for what they signed before the first signature of a current key. */
  retired?: Keys;
  /** Ids of keys that nobody has any more. What they signed is taken as it is, under the same condition. */
  lost?: readonly string[];
}

/** Finds the key of each signature in order. Once a current key has signed, a retired key must not sign again. */
export class Signers {
  private hasCurrent = false;

  constructor(private readonly keys: VerificationKeys) {}

  /** The key; null for a lost one, whose signature cannot be checked. */
  keyFor({ key_id }: Row, at: Place): Buffer | null {
    const current = this.keys.all.find((key) => key.id === key_id);
    if (current) {
      this.hasCurrent = true;
      return current.key;
    }
    const retired = this.keys.retired?.find((key) => key.id === key_id);
    const unknown = `The server key that signed, ${key_id}, is neither in SECRET_KEY nor in SECRET_KEY_RETIRED.`;
    const isLost = this.keys.lost?.includes(String(key_id)) === true;
    expectThat(retired !== undefined || isLost, at, unknown);
    const kind = retired ? "retired" : "lost";
    expectThat(!this.hasCurrent, at, `The ${kind} key ${key_id} signed after a current key: it may be forged.`);
    return retired?.key ?? null;
  }

  /** Signatures of retired keys do not count until a current key has signed a later one. */
  expectCurrent(at: Place, newest: bigint): void {
    const message =
      "Only keys that are retired or lost have signed. Start the app once with the new key, which then signs too.";
    expectThat(newest === 0n || this.hasCurrent, at, message);
  }
}
