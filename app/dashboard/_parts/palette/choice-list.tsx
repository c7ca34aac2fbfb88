// The list box of the search over everything, in groups. The field keeps the focus, and names the marked choice.
import { UnstyledButton } from "@mantine/core";
import { useTranslations } from "next-intl";
import { Link } from "@/app/_ui/link";
import { StatusBadge } from "@/app/_ui/status-badge";
import type { Choice, Group } from "./choices";
import classes from "./palette.module.css";

/** The id of a choice in the list with this id. */
export const idOfChoice = (listId: string, { id, href }: Choice): string => `${listId}${id ?? href}`;

interface Props {
  id: string;
  groups: readonly Group[];
  /** Groups that cannot be chosen, because they answer an earlier text. */
  stale: readonly Group[];
  marked: Choice | undefined;
  onLeave(): void;
}

export function ChoiceList({ id, groups, stale, marked, onLeave }: Props) {
  const t = useTranslations("palette");
  const shown = groups.filter(({ choices }) => choices.length > 0);
  return (
    <div id={id} role="listbox" aria-label={t("results")} className={classes.list} hidden={shown.length === 0}>
      {shown.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box may not contain a fieldset.
        <div key={group.name} role="group" aria-labelledby={`${id}${group.name}`} className={classes.group}>
          <div id={`${id}${group.name}`} role="presentation" className={classes.groupName}>
            {t(`groups.${group.name}`)}
          </div>
          {group.choices.map((choice) => (
            <Option
              key={idOfChoice(id, choice)}
              id={idOfChoice(id, choice)}
              choice={choice}
              isMarked={choice === marked}
              isStale={stale.includes(group)}
              onLeave={onLeave}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  choice: Choice;
  isMarked: boolean;
  isStale: boolean;
  onLeave(): void;
}

function Option({
  id,
  choice: { href, run, Icon, title, detail, amount, status },
  isMarked,
  isStale,
  onLeave,
}: OptionProps) {
  const option = { id, role: "option", tabIndex: -1, className: classes.choice } as const;
  const state = { "aria-selected": isMarked, "aria-disabled": isStale };
  const content = (
    <>
      <Icon size={18} stroke={1.75} aria-hidden className={classes.icon} />
      <span className={classes.texts}>
        <span className={classes.name} title={title}>
          {title}
        </span>
        {detail !== undefined && detail !== "" && <span className={classes.detail}>{detail}</span>}
      </span>
      {(amount !== undefined || status !== undefined) && (
        <span className={classes.state}>
          {amount}
          {status !== undefined && <StatusBadge status={status} />}
        </span>
      )}
    </>
  );
  if (href === undefined) {
    return (
      <UnstyledButton {...option} {...state} onClick={run}>
        {content}
      </UnstyledButton>
    );
  }
  return (
    <Link {...option} {...state} href={href} onClick={onLeave}>
      {content}
    </Link>
  );
}
