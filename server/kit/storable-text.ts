// Text that both engines can store.
import { protocolFailure } from "./errors";

/** Refuses the NUL character and lone surrogates. */
export function checkText(text: string, path: string): void {
  if (text.includes("\u0000")) throw protocolFailure("invalid_request", `${path}: must not contain the NUL character`);
  if (!text.isWellFormed()) throw protocolFailure("invalid_request", `${path}: is not well-formed Unicode`);
}
