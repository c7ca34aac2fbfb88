// A mail as it looks, in a frame that runs nothing and belongs to no origin, or as plain text.
import { useTranslations } from "next-intl";
import type { Outputs } from "@/app/_trpc/server";
import { Card } from "@/app/_ui/page-frame";
import { TabLinks } from "@/app/_ui/tab-links";
import { dayMs, limits } from "@/server/kit/limits";
import classes from "./mail-view.module.css";
import { mailPath } from "./mails-path";

interface Props {
  mail: Outputs["mails"]["get"];
  view: "html" | "text";
}

export function MailView({ mail, view }: Props) {
  const t = useTranslations("mails");
  const { mail_id: id, text, html, to } = mail;
  if (text === null || html === null) {
    return (
      <Card padded>
        <p className={classes.note}>{t("noBody", { days: limits.kept.mailBodyMs / dayMs })}</p>
      </Card>
    );
  }
  return (
    <>
      <TabLinks
        label={t("view")}
        tabs={[
          { href: mailPath(id), label: t("asHtml"), isCurrent: view === "html" },
          { href: `${mailPath(id)}?view=text`, label: t("asText"), isCurrent: view === "text" },
        ]}
      />
      <Card padded>
        {text.includes(`/${id}`) && <p className={classes.note}>{t("placeholder")}</p>}
        {view === "html" ? (
          <iframe className={classes.frame} title={t("frame", { to })} sandbox="" srcDoc={html} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
          <pre className={classes.text} tabIndex={0}>
            {text}
          </pre>
        )}
      </Card>
    </>
  );
}
