// A record as the API returns it, to read and to copy: <JsonBlock label={t("json")} value={transaction} />.
import { useTranslations } from "next-intl";
import { CopyButton } from "./copy-button";
import classes from "./json-block.module.css";

export function JsonBlock({ label, value }: { label: string; value: unknown }) {
  const t = useTranslations("copy");
  const text = JSON.stringify(value, null, 2);
  return (
    <div className={classes.block}>
      <div className={classes.copy}>
        <CopyButton text={text} label={t("copy")} fullLabel={t("copyOf", { title: label })} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} className={classes.scroll}>
        <pre className={classes.text}>{text}</pre>
      </section>
    </div>
  );
}
