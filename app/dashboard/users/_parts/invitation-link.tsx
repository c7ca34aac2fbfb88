// Shows the link of a new invitation, once: lists do not show it again.
"use client";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { ButtonLink } from "@/app/_ui/button-link";
import { CopyButton } from "@/app/_ui/copy-button";
import classes from "@/app/_ui/form.module.css";
import secret from "@/app/dashboard/api-keys/_parts/keys.module.css";
import { limits } from "@/server/kit/limits";
import type { Invited } from "./invite";
import { invitationsPath } from "./user-path";

export function InvitationLink({ email, url, hasMail }: Invited & { hasMail: boolean }) {
  const t = useTranslations("invitations");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={classes.fields}>
      <div className={secret.made}>
        <h2 ref={heading} tabIndex={-1} className={secret.madeTitle}>
          {t("madeTitle", { email })}
        </h2>
        <p className={secret.madeText}>{t(hasMail ? "mailed" : "notMailed", { days: limits.invitationDays })}</p>
        {url !== null && (
          <>
            {hasMail && <p className={secret.madeText}>{t("linkOnce")}</p>}
            <div className={secret.secret}>
              <code className={secret.secretText}>{url}</code>
              <CopyButton text={url} label={t("copy")} size="sm" />
            </div>
          </>
        )}
      </div>
      <div className={classes.actions}>
        <ButtonLink href={invitationsPath}>{t("done")}</ButtonLink>
      </div>
    </div>
  );
}
