// Copies a text, says so on the button and to screen readers, and says how to go on where the browser refuses.
"use client";
import { Button, type ButtonProps } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import classes from "./copy-button.module.css";

interface Props extends Pick<ButtonProps, "size" | "variant"> {
  text: string;
  label: string;
  /** What is copied, for those who do not see what the button stands beside. Begins with the label. */
  fullLabel?: string;
}

export function CopyButton({ text, label, fullLabel, size = "compact-sm", variant = "default" }: Props) {
  const t = useTranslations("copy");
  const { copy, copied, error } = useClipboard();
  return (
    <span className={classes.copy}>
      <Button
        size={size}
        variant={variant}
        leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        aria-label={copied ? undefined : fullLabel}
        onClick={() => copy(text)}
      >
        {copied ? t("done") : label}
      </Button>
      <span role="status" className={error ? classes.failed : "visually-hidden"}>
        {error ? t("failed") : copied ? t("done") : ""}
      </span>
    </span>
  );
}
