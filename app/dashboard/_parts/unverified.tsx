// Asks a user who has not confirmed the e-mail address to do so, on every page of the dashboard.
import { useTranslations } from "next-intl";
import classes from "./attention.module.css";
import { SendVerification } from "./send-verification";

export function Unverified({ email, isLive }: { email: string; isLive: boolean }) {
  const t = useTranslations("unverified");
  return (
    <section aria-labelledby="unverified" className={classes.attention}>
      <h2 id="unverified" className={classes.title}>
        {t("title")}
      </h2>
      <div className={classes.line}>
        <span className={classes.text}>{t(isLive ? "textLive" : "text", { email })}</span>
        <SendVerification email={email} />
      </div>
    </section>
  );
}
