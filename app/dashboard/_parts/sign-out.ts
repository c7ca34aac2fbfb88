// Signs the user out of this browser.
"use client";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/app/_trpc/client";
import { isSignedOut } from "@/app/_trpc/refusal";
import { signInAfter } from "@/app/_ui/ended-session";

/** A full load: nothing that this user has seen stays in memory. */
const leave = () => window.location.replace(signInAfter("signedOut"));

export function useSignOut() {
  const options = { onSuccess: leave, onError: (error: unknown) => isSignedOut(error) && leave() };
  return useMutation(useTRPC().sessions.signOut.mutationOptions(options));
}
