// The reader's second factors on the profile: the authenticator app and the recovery codes.
import { getTranslations } from "next-intl/server";
import type { Viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { Instant } from "@/app/_ui/instant";
import { Card } from "@/app/_ui/page-frame";
import classes from "./factors.module.css";
import { RemoveApp } from "./remove-app";

export async function FactorsCard({ reader }: { reader: Viewer }) {
  const [t, caller] = await Promise.all([getTranslations("factors"), api()]);
  const { totp_since: since, recovery_codes_left: left } = await caller.factors.own({});
  return (
    <Card title={t("title")}>
      <p className={classes.text}>{t("text")}</p>
      <div className={classes.rows}>
        <div className={classes.row}>
          <div>
            <h3 className={classes.rowTitle}>{t("app")}</h3>
            <p className={classes.rowText}>
              {since === null
                ? t("appNone")
                : t.rich("appSince", { at: () => <Instant at={since} isDay {...reader} /> })}
            </p>
          </div>
          {since === null ? (
            <ButtonLink href="/dashboard/profile/authenticator" variant="outline">
              {t("setUp")}
            </ButtonLink>
          ) : (
            <RemoveApp />
          )}
        </div>
        {since !== null && (
          <div className={classes.row}>
            <div>
              <h3 className={classes.rowTitle}>{t("codes")}</h3>
              <p className={classes.rowText}>{t("codesLeft", { count: left })}</p>
            </div>
            <ButtonLink href="/dashboard/profile/recovery-codes" variant="outline">
              {t("renew")}
            </ButtonLink>
          </div>
        )}
      </div>
    </Card>
  );
}
