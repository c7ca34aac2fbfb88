// The details of a user: address, role and what it means, settings, second factor, and times.
import { getTranslations } from "next-intl/server";
import { languageName } from "@/app/_i18n/language-name";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { CopyableId } from "@/app/_ui/copyable-id";
import { DetailList, DetailNote } from "@/app/_ui/detail-list";
import { Instant } from "@/app/_ui/instant";
import { Card } from "@/app/_ui/page-frame";

export async function UserDetails({ user, reader }: { user: Outputs["users"]["get"]; reader: Viewer }) {
  const t = await getTranslations("users");
  const { user_id: id, role, status, locale, timezone } = user;
  const isActive = status === "active";
  const at = (instant: string | null) => instant !== null && <Instant at={instant} {...reader} />;
  const language = locale && languageName(locale, reader.language);
  const email = (
    <>
      {user.email}
      <DetailNote>{t(user.email_verified_at === null ? "unconfirmed" : "isConfirmed")}</DetailNote>
    </>
  );
  const roleWithMeaning = (
    <>
      {t(`roles.${role}`)}
      <DetailNote>{t(`meanings.${role}`)}</DetailNote>
    </>
  );
  return (
    <Card title={t("details")}>
      <DetailList
        items={[
          { label: t("id"), value: <CopyableId id={id} /> },
          { label: t("email"), value: isActive && email },
          { label: t("role"), value: isActive ? roleWithMeaning : t(`roles.${role}`) },
          { label: t("language"), value: language },
          { label: t("timeZone"), value: timezone },
          { label: t("factor"), value: isActive && t(user.mfa_enabled ? "factorOn" : "factorOff") },
          { label: t("created"), value: at(user.created_at) },
          { label: t("signedIn"), value: at(user.last_login_at) },
          { label: t("seen"), value: at(user.last_seen_at) },
        ]}
      />
    </Card>
  );
}
