// Signs the user out of this browser.
"use client";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/app/_trpc/client";
import { isSignedOut } from "@/app/_trpc/refusal";
import { signInAfter } from "@/app/_ui/ended-session";
import { mayLeave } from "@/app/_ui/leave-question";

/** A full load: nothing that this user has seen stays in memory. */
const leave = () => window.location.replace(signInAfter("signedOut"));

/** Signs out once, after asking about a half-filled form. */
export function useSignOut() {
  const options = { onSuccess: leave, onError: (error: unknown) => isSignedOut(error) && leave() };
  const { mutate, isPending, error, reset } = useMutation(useTRPC().sessions.signOut.mutationOptions(options));
  const signOut = () => {
    if (!isPending && mayLeave()) mutate({});
  };
  return { signOut, error, reset };
}
