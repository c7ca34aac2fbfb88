// Whether an API key works, with what an admin should know about it.
import { useTranslations } from "next-intl";
import { Instant } from "@/app/_ui/instant";
import badge from "@/app/_ui/status-badge.module.css";
import type { DetailedKey } from "./key-columns";
import classes from "./keys.module.css";

type State = "active" | "expired" | "revoked";

const tones = { active: "positive", expired: "quiet", revoked: "quiet" } as const;

/** The key's state at `now` (epoch ms). */
export function stateOf({ revoked_at, expires_at }: DetailedKey, now: number): State {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= now ? "expired" : "active";
}

export function KeyState({ now, locale, timeZone, ...key }: DetailedKey & Props) {
  const t = useTranslations("apiKeys");
  const state = stateOf(key, now);
  const until = state === "active" ? key.details?.previous_secret_until : null;
  return (
    <span className={classes.name}>
      <span>
        <span className={badge.badge} data-tone={tones[state]}>
          {t(`states.${state}`)}
        </span>
      </span>
      {state === "active" && key.details?.needs_rotation && <span className={classes.warning}>{t("rotateIt")}</span>}
      {until && (
        <span className={classes.by}>
          {t.rich("oldUntil", { at: () => <Instant at={until} locale={locale} timeZone={timeZone} /> })}
        </span>
      )}
    </span>
  );
}

interface Props {
  /** Epoch ms. */
  now: number;
  locale: string;
  timeZone: string;
}
