// The tabs above the lists of people: the users, and the people who are invited.
import { useTranslations } from "next-intl";
import { TabLinks } from "@/app/_ui/tab-links";
import { invitationsPath, listPath } from "./user-path";

export function PeopleTabs({ current }: { current: "users" | "invitations" }) {
  const t = useTranslations("invitations");
  return (
    <TabLinks
      label={t("views")}
      tabs={[
        { href: listPath, label: t("users"), isCurrent: current === "users" },
        { href: invitationsPath, label: t("title"), isCurrent: current === "invitations" },
      ]}
    />
  );
}
