// The actions of a record's page: <PageActions>{first}{mayChange && second}{third}</PageActions>. On phones only the
// first one is in sight if there are more than two.
import { useTranslations } from "next-intl";
import { Children, type ReactNode } from "react";
import { MoreActions } from "./more-actions";

/** So many actions have room beside each other on a phone. */
const inSight = 2;

export function PageActions({ children }: { children: ReactNode }) {
  const t = useTranslations("shell");
  const [first, ...others] = Children.toArray(children);
  return (
    <>
      {first}
      {others.length < inSight ? others : <MoreActions label={t("moreActs")}>{others}</MoreActions>}
    </>
  );
}
