// The effective date of a transaction, where it is not the day on which the transaction was recorded.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { Instant } from "@/app/_ui/instant";
import { dayOf } from "@/server/kit/day-bounds";
import classes from "./effective-day.module.css";

interface Props {
  transaction: { created_at: string; effective_at: string };
  reader: Viewer;
}

export function EffectiveDay({ transaction: { created_at, effective_at }, reader }: Props) {
  const t = useTranslations("transactions");
  if (dayOf(created_at, reader.timeZone) === dayOf(effective_at, reader.timeZone)) return null;
  return (
    <span className={classes.effective}>
      {t.rich("effective", { day: () => <Instant at={effective_at} isDay {...reader} /> })}
    </span>
  );
}
