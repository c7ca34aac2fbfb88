// Codes of authenticator apps: RFC 6238 with SHA-1, 6 digits and steps of 30 seconds, which every app supports.
import { createTOTPKeyURI, verifyHOTP } from "@oslojs/otp";

/** 160 bits, as RFC 4226 (section 4, R6) recommends. */
export const totpSecretBytes = 20;
const digits = 6;
const periodSeconds = 30;

/** The time step of an instant in epoch milliseconds (RFC 6238, section 4.2). */
export const stepOf = (now: number): number => Math.floor(now / (periodSeconds * 1000));

/** Whether the text has the form of such a code. */
export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code);

/**
 * The step for which the code is right, or null. One step of drift is allowed in each direction (RFC 6238, section
 * 5.2), but only steps after `lastStep`, so that a code works once.
 */
export function matchingStep(secret: Uint8Array, code: string, now: number, lastStep: number | null): number | null {
  const current = stepOf(now);
  const steps = [current - 1, current, current + 1].filter((step) => step >= 0 && step > (lastStep ?? -1));
  const matches = steps.filter((step) => verifyHOTP(secret, BigInt(step), digits, code));
  return matches[0] ?? null;
}

/** The address that an authenticator app reads from a QR code, and its secret as text in base32. */
export function totpKey(secret: Uint8Array, issuer: string, email: string): { uri: string; key: string } {
  const uri = createTOTPKeyURI(issuer, email, secret, periodSeconds, digits);
  return { uri, key: new URL(uri).searchParams.get("secret") ?? "" };
}
