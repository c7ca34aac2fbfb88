// Asks a user who has not confirmed the e-mail address to do so, on every page of the dashboard.
import { getTranslations } from "next-intl/server";
import { runtime } from "@/server/process/runtime";
import classes from "./attention.module.css";
import { SendVerification } from "./send-verification";

export async function Unverified({ email, isLive }: { email: string; isLive: boolean }) {
  const [t, { env }] = await Promise.all([getTranslations("unverified"), runtime()]);
  const hasMail = env.mail !== null;
  return (
    <section aria-labelledby="unverified" className={classes.attention}>
      <h2 id="unverified" className={classes.title}>
        {t("title")}
      </h2>
      <div className={classes.line}>
        <span className={classes.text}>
          {t(hasMail ? "open" : "noServer", { email })} {t(isLive ? "untilLive" : "until")}
        </span>
        {hasMail && <SendVerification email={email} />}
      </div>
    </section>
  );
}
