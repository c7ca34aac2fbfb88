// New recovery codes, shown once: to copy, to download and to print.
"use client";
import { Button } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { ButtonLink } from "@/app/_ui/button-link";
import { CopyButton } from "@/app/_ui/copy-button";
import classes from "./factors.module.css";

/** Where a form leads: when the reader cancels, and when it is done. */
export interface Leave {
  cancel: string;
  done: string;
}

const profile = "/dashboard/profile";
export const toProfile: Leave = { cancel: profile, done: profile };

interface Props {
  title: string;
  /** Empty if the current ones stay valid. */
  codes: readonly string[];
  leave?: Leave;
}

export function RecoveryCodes({ title, codes, leave = toProfile }: Props) {
  const t = useTranslations("factors");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = `${codes.join("\n")}\n`;
  return (
    <div className={classes.made}>
      <h2 ref={heading} tabIndex={-1} className={classes.madeTitle}>
        {title}
      </h2>
      {codes.length > 0 && (
        <>
          <h3 className={classes.codesTitle}>{t("codesTitle")}</h3>
          <p className={classes.text}>{t("codesText")}</p>
          <ul className={classes.codes}>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <div className={classes.tools}>
            <CopyButton text={text} label={t("copy")} size="sm" />
            <Button
              component="a"
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
              download={t("file")}
              size="sm"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {t("download")}
            </Button>
            <Button
              size="sm"
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => window.print()}
            >
              {t("print")}
            </Button>
          </div>
        </>
      )}
      <div className={classes.done}>
        <ButtonLink href={leave.done}>{t(leave === toProfile ? "done" : "continue")}</ButtonLink>
      </div>
    </div>
  );
}
