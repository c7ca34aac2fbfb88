// The actions of a record's page, the one most likely next first:
// <PageActions>{first}{mayChange && second}{third}</PageActions>. Where there is room, all of a few are in sight, of many
// the first three; on phones only the first if there are more than two. The others are in a menu.
import { useTranslations } from "next-intl";
import { Children, type ReactNode } from "react";
import { MoreActions } from "./more-actions";

/** The most actions that are all in sight where there is room. */
const few = 4;
/** How many are in sight if there are more. */
const inSightOfMany = 3;
/** How many have room beside each other on a phone. */
const inSightOnPhones = 2;

interface Props {
  /** An action before all others that stays mounted when it shows no button. */
  lead?: { action: ReactNode; isShown: boolean };
  children: ReactNode;
}

export function PageActions({ lead, children }: Props) {
  const t = useTranslations("shell");
  const all = Children.toArray(children);
  const first = lead?.isShown ? 0 : 1;
  const count = all.length + 1 - first;
  const others = all.slice(first);
  return (
    <>
      {lead?.action}
      {all.slice(0, first)}
      {count <= inSightOnPhones ? (
        others
      ) : (
        <MoreActions label={t("moreActs")} inSight={count <= few ? others.length : inSightOfMany - 1}>
          {others}
        </MoreActions>
      )}
    </>
  );
}
