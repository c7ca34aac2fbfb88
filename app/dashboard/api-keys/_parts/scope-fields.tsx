// The scopes of a new API key as checkboxes in plain words, grouped by resource.
"use client";
import { Checkbox } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import classes from "./keys.module.css";
import { groupsOf, textKeyOf } from "./scopes";

type Text = ReturnType<typeof useTranslations<"apiKeys">>;
type Resource = Parameters<ReturnType<typeof useTranslations<"apiKeys.resources">>>[0];
type Allowed = Parameters<ReturnType<typeof useTranslations<"apiKeys.allows">>>[0];
type Reach = Parameters<ReturnType<typeof useTranslations<"apiKeys.reaches">>>[0];
type ReachBound = Parameters<ReturnType<typeof useTranslations<"apiKeys.reachesBound">>>[0];
type AllowedBound = Parameters<ReturnType<typeof useTranslations<"apiKeys.allowsBound">>>[0];

interface Props {
  // biome-ignore lint/suspicious/noExplicitAny: only the field `scopes` is used, of a form with any others.
  form: UseFormReturnType<any>;
  scopes: readonly string[];
  /** Whether the key is for one account, where some permissions allow less. */
  isBound: boolean;
}

export function ScopeFields({ form, scopes, isBound }: Props) {
  const t = useTranslations("apiKeys");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  function toggle(scope: string, isChosen: boolean) {
    const next = isChosen ? [...chosen, scope] : chosen.filter((each) => each !== scope);
    setChosen(next);
    form.setFieldValue("scopes", next);
    form.clearFieldError("scopes");
  }
  const problem = form.errors["scopes"];
  return (
    <fieldset
      id="scopes"
      tabIndex={-1}
      className={classes.group}
      aria-describedby={problem ? "scopes-problem" : "scopes-help"}
    >
      <legend className={classes.legend}>{t("scopes")}</legend>
      <p id="scopes-help" className={classes.help}>
        {t("scopesHelp")}
      </p>
      {problem && (
        <p id="scopes-problem" className={classes.problem}>
          {problem}
        </p>
      )}
      <div className={classes.resources}>
        {groupsOf(scopes).map(({ resource, scopes: each }) => (
          <fieldset key={resource} className={classes.resource}>
            <legend className={classes.resourceName}>{resourceText(t, resource)}</legend>
            {each.map((scope) => (
              <Checkbox
                key={scope}
                label={scopeText(t, scope, isBound)}
                description={reachText(t, scope, isBound)}
                checked={chosen.includes(scope)}
                onChange={(event) => toggle(scope, event.currentTarget.checked)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}

const resourceText = (t: Text, resource: string): string =>
  t.has(`resources.${resource as Resource}`) ? t(`resources.${resource as Resource}`) : resource;

/** The worst that a holder of the key could do, where the name of the permission does not say it. */
function reachText(t: Text, scope: string, isBound: boolean): string | null {
  const name = textKeyOf(scope);
  const key = isBound ? (`reachesBound.${name as ReachBound}` as const) : (`reaches.${name as Reach}` as const);
  return t.has(key) ? t(key) : null;
}

function scopeText(t: Text, scope: string, isBound: boolean): string {
  const bound = `allowsBound.${textKeyOf(scope) as AllowedBound}` as const;
  if (isBound && t.has(bound)) return t(bound);
  const key = `allows.${textKeyOf(scope) as Allowed}` as const;
  return t.has(key) ? t(key) : scope;
}
