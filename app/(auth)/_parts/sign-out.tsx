// Shows who is signed in, with a button to sign out, on pages without the dashboard's menu.
"use client";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";
import { isSignedOut } from "@/app/_trpc/refusal";
import { signInAfter } from "@/app/_ui/ended-session";
import { Refusal } from "@/app/_ui/refusal";
import own from "./code-form.module.css";
import classes from "./sign-out.module.css";

/** A full load: nothing that this user has seen stays in memory. */
const leave = () => window.location.replace(signInAfter("signedOut"));

export function SignOut({ email }: { email: string }) {
  const t = useTranslations("enrollment");
  const trpc = useTRPC();
  const { error, ...signOut } = useMutation(
    trpc.sessions.signOut.mutationOptions({ onSuccess: leave, onError: (each) => isSignedOut(each) && leave() }),
  );
  return (
    <div className={classes.who}>
      <p className={classes.email}>{t("signedIn", { email })}</p>
      <button type="button" className={own.other} onClick={() => signOut.mutate({})}>
        {t("signOut")}
      </button>
      <p role="alert" className={own.problem}>
        {error && <Refusal error={error} />}
      </p>
    </div>
  );
}
