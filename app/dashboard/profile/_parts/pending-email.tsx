// The address that waits to be confirmed, with buttons to send its link again and to keep the current address.
import { getTranslations } from "next-intl/server";
import type { Viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { Instant } from "@/app/_ui/instant";
import classes from "./pending-email.module.css";
import { PendingEmailActs } from "./pending-email-acts";

export async function PendingEmail({ current, reader }: { current: string; reader: Viewer }) {
  const [t, caller] = await Promise.all([getTranslations("email"), api()]);
  const { pending } = await caller.users.pendingEmail({});
  if (pending === null) return null;
  const { email, expires_at: until } = pending;
  return (
    <section aria-labelledby="pending-email" className={classes.notice}>
      <h3 id="pending-email" className={classes.title}>
        {t("pending")}
      </h3>
      <p className={classes.text}>
        {t.rich("pendingText", { to: email, until: () => <Instant at={until} {...reader} /> })}
      </p>
      <PendingEmailActs email={email} current={current} />
    </section>
  );
}
