// Says that no mail server is set up, what to do about it, and which e-mails can be sent afterwards.
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import { resendableKinds } from "@/server/domains/mails/rules";
import type { MailKind } from "@/server/domains/mails/templates";
import classes from "./no-server.module.css";

interface Props {
  settings: string | null;
  /** The e-mails that the page shows: one kind, or those that the reader may see. */
  about: MailKind | "all" | "payments";
}

export function NoServer({ settings, about }: Props) {
  const t = useTranslations("mails");
  return (
    <section aria-labelledby="no-server" className={classes.notice}>
      <h2 id="no-server" className={classes.title}>
        {t("noServerTitle")}
      </h2>
      <p className={classes.text}>
        {t("noServer")} {t(`later.${laterOf(about)}`)}
      </p>
      {settings !== null && (
        <ButtonLink href={settings} variant="outline">
          {t("settings")}
        </ButtonLink>
      )}
    </section>
  );
}

function laterOf(about: Props["about"]): "all" | "payments" | "resent" | "again" | "never" {
  if (about === "all" || about === "payments") return about;
  if (resendableKinds.includes(about)) return "resent";
  return about === "security_notice" ? "never" : "again";
}
