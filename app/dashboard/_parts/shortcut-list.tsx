// The shortcuts with their keys, and the setting that turns them off and on.
"use client";
import { Checkbox } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useShortcutSetting } from "./shortcut-setting";
import classes from "./shortcuts.module.css";

const listed = [
  ["everything", ["Ctrl K", "⌘ K"]],
  ["search", ["/"]],
  ["new", ["n"]],
  ["rows", ["j", "k"]],
  ["select", ["x"]],
  ["export", ["e"]],
  ["home", ["g", "h"]],
  ["paymentRequests", ["g", "p"]],
  ["transactions", ["g", "t"]],
  ["accounts", ["g", "a"]],
  ["help", ["?"]],
] as const;

export function ShortcutList({ mayCreate }: { mayCreate: boolean }) {
  const t = useTranslations("shortcuts");
  const [isOn, setIsOn] = useShortcutSetting();
  const known = listed.filter(([name]) => name !== "new" || mayCreate);
  return (
    <>
      <dl className={classes.list}>
        {known.map(([name, keys]) => (
          <div key={name} className={classes.shortcut}>
            <dt>{t(name)}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} className={classes.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox
        className={classes.setting}
        label={t("setting")}
        checked={isOn}
        onChange={(event) => setIsOn(event.currentTarget.checked)}
      />
    </>
  );
}
