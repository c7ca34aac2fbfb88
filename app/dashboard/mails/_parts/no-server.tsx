// Says that no mail server is set up, and what to do about it.
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import classes from "./no-server.module.css";

export function NoServer({ settings }: { settings: string | null }) {
  const t = useTranslations("mails");
  return (
    <section aria-labelledby="no-server" className={classes.notice}>
      <h2 id="no-server" className={classes.title}>
        {t("noServerTitle")}
      </h2>
      <p className={classes.text}>{t("noServer")}</p>
      {settings !== null && (
        <ButtonLink href={settings} variant="outline">
          {t("settings")}
        </ButtonLink>
      )}
    </section>
  );
}
