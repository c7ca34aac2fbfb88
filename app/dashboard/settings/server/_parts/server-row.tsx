// One part of the server: how it is, in an icon and a word, the facts, and what to do if something is wrong.
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconExclamationCircle } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Outputs } from "@/app/_trpc/server";
import classes from "./server-row.module.css";

export type State = Outputs["instance"]["state"];
type Judged = Pick<State["database"], "health" | "problem">;
type Health = Judged["health"];

const icons = {
  ok: IconCircleCheck,
  watch: IconAlertTriangle,
  act: IconExclamationCircle,
  optional: IconCircleDashed,
} satisfies Record<Health, unknown>;

/** The section of docs/operating.md about each part. */
const sections = {
  backup: "backup",
  proof: "watch",
  jobs: "watch",
  mail: "mail",
  database: "watch",
  disk: "sizes",
  version: "watch",
} as const;

interface Props {
  part: keyof typeof sections;
  judged: Judged;
  children: ReactNode;
}

export function ServerRow({ part, judged, children }: Props) {
  const t = useTranslations("serverSettings");
  const { health, problem } = judged;
  const Icon = icons[health];
  return (
    <div className={classes.row}>
      <dt className={classes.name}>{t(`parts.${part}`)}</dt>
      <dd className={classes.health} data-health={health}>
        <Icon size={18} aria-hidden />
        {t(`healths.${health}`)}
      </dd>
      <dd className={classes.facts}>
        {children}
        {problem && (
          <p className={classes.advice}>
            {t(`problems.${problem}`)}{" "}
            <span className={classes.where}>{t("docs", { section: t(`sections.${sections[part]}`) })}</span>
          </p>
        )}
      </dd>
    </div>
  );
}

/** What a row says first, and dimmed lines below it. */
export const Fact = ({ children }: { children: ReactNode }) => <p className={classes.fact}>{children}</p>;
export const More = ({ children }: { children: ReactNode }) => <p className={classes.more}>{children}</p>;
