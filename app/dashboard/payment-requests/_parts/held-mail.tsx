// E-mails that are held because no mail server is set up: what a dialog says before, and its outcome.
"use client";
import { useTranslations } from "next-intl";
import type { DoneTone } from "@/app/_ui/outcome";
import classes from "./held-mail.module.css";

/** What to say once an e-mail has been handed over. */
export interface MailOutcome {
  done: string;
  tone: DoneTone;
}

/** The outcome of an e-mail in its first status. One that is held has not been sent, so its outcome is a warning. */
export function mailOutcome(status: string, text: (key: "held" | "done") => string): MailOutcome {
  return status === "held" ? { done: text("held"), tone: "warning" } : { done: text("done"), tone: "done" };
}

/** Says beforehand that the e-mail will be held, and how the link reaches the customer all the same. */
export function HeldNotice() {
  const t = useTranslations("sendMail");
  return <p className={classes.notice}>{t("willBeHeld")}</p>;
}
