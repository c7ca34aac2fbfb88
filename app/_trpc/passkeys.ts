// Passkeys in the browser: asks the server for a challenge, the browser for an answer, and sends the answer.
"use client";
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { useTRPCClient } from "./client";
import { PasskeyFailed } from "./refusal";

/** What the browser answers; throws {@link PasskeyFailed} if the user cancels, or has no passkey that fits. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new PasskeyFailed("The browser used no passkey.", { cause });
  }
}

/** Functions that sign in with a passkey, and that add one to the signed-in user. */
export function usePasskeys() {
  const api = useTRPCClient();
  return {
    /** Signs in; for step-up only as the user with this id. */
    async signIn(userId?: string): Promise<void> {
      const { options } = await api.sessions.passkeyChallenge.mutate({});
      const { id, response } = await answered(() => startAuthentication({ optionsJSON: options }));
      await api.sessions.signInWithPasskey.mutate({
        credential_id: id,
        client_data: response.clientDataJSON,
        authenticator_data: response.authenticatorData,
        signature: response.signature,
        ...(userId !== undefined && { user_id: userId }),
      });
    },
    /** Adds a passkey and returns the user's new recovery codes, if it is the first factor. */
    async add(name: string): Promise<string[]> {
      const { options } = await api.factors.setUpPasskey.mutate({});
      const { id, response } = await answered(() => startRegistration({ optionsJSON: options }));
      const { recovery_codes } = await api.factors.addPasskey.mutate({
        credential_id: id,
        client_data: response.clientDataJSON,
        attestation: response.attestationObject,
        transports: response.transports ?? [],
        name,
      });
      return recovery_codes;
    },
  };
}
