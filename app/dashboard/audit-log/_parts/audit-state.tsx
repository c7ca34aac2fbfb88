// Says how far the audit log is sealed, and how its last proof ended.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Outputs } from "@/app/_trpc/server";
import { Instant } from "@/app/_ui/instant";
import classes from "./entries.module.css";

interface Props {
  state: Outputs["auditEntries"]["state"];
  reader: { locale: string; timeZone: string };
}

export function AuditState({ state: { seal, proof }, reader: { locale, timeZone } }: Props) {
  const t = useTranslations("auditLog");
  const at = (instant: string) => () => <Instant at={instant} locale={locale} timeZone={timeZone} />;
  const code = (command: ReactNode) => <code>{command}</code>;
  return (
    <div className={classes.state}>
      <p>
        {seal === null ? t("notSealed") : t.rich("sealed", { number: String(seal.number), at: at(seal.sealed_at) })}
      </p>
      <p data-tone={proof?.is_sound === false ? "bad" : undefined}>
        {proof === null
          ? t.rich("notProved", { code })
          : t.rich(proof.is_sound ? "sound" : "unsound", { at: at(proof.proved_at), code })}
      </p>
    </div>
  );
}
