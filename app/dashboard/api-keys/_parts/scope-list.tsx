// What an API key may do, in a few words: "Payment requests (see, change)".
import { useTranslations } from "next-intl";
import classes from "./keys.module.css";
import { groupsOf } from "./scopes";

type Resource = Parameters<ReturnType<typeof useTranslations<"apiKeys.resources">>>[0];
type Act = Parameters<ReturnType<typeof useTranslations<"apiKeys.short">>>[0];

export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const t = useTranslations("apiKeys");
  return (
    <ul className={classes.scopes}>
      {groupsOf(scopes).map(({ resource, scopes: each }) => (
        <li key={resource}>
          {t.has(`resources.${resource as Resource}`) ? t(`resources.${resource as Resource}`) : resource}{" "}
          <span className={classes.by}>{each.map((scope) => t(`short.${scope.split(":")[1] as Act}`)).join(", ")}</span>
        </li>
      ))}
    </ul>
  );
}
