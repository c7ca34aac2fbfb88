// Shows the secret of an API key, once: it cannot be shown again.
"use client";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { CopyButton } from "@/app/_ui/copy-button";
import classes from "./keys.module.css";

interface Props {
  title: string;
  /** Null if the answer was repeated: the secret is stored nowhere. */
  secret: string | null;
}

export function NewSecret({ title, secret }: Props) {
  const t = useTranslations("apiKeys");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={classes.made}>
      <h2 ref={heading} tabIndex={-1} className={classes.madeTitle}>
        {title}
      </h2>
      <p className={classes.madeText}>{secret === null ? t("secretLost") : t("secretOnce")}</p>
      {secret !== null && (
        <div className={classes.secret}>
          <code className={classes.secretText}>{secret}</code>
          <CopyButton text={secret} label={t("copy")} size="sm" />
        </div>
      )}
    </div>
  );
}
