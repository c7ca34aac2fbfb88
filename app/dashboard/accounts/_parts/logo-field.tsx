// The logo of an account: shown, chosen with a button or by dragging a file here, and removed.
"use client";
import { Button, Input } from "@mantine/core";
import { IconPhoto } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { limits } from "@/server/kit/limits";
import classes from "./logo-field.module.css";
import { useLogoUpload } from "./logo-upload";

interface Props {
  accountId: string;
  /** The path of the current logo; null without one. */
  logo: string | null;
}

const id = "logo";
const accepted = "image/png,image/jpeg";
const megabyte = 1024 ** 2;

export function LogoField({ accountId, logo }: Props) {
  const t = useTranslations("accountForm");
  const { set, isBusy, problem } = useLogoUpload(accountId);
  const [isOver, setOver] = useState(false);
  // So that the same file can be chosen again, for instance once it is smaller.
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isBusy && input.current) input.current.value = "";
  }, [isBusy]);
  const over = (event: DragEvent, value: boolean) => {
    event.preventDefault();
    setOver(value && !isBusy);
  };
  const drop = (event: DragEvent) => {
    over(event, false);
    const [file] = event.dataTransfer.files;
    if (file && !isBusy) set(file);
  };
  return (
    <Input.Wrapper
      id={id}
      size="md"
      label={t("logo")}
      labelElement="div"
      labelProps={{ className: "field-label" }}
      description={t("logoHelp", { most: limits.logo.bytes / megabyte })}
      error={problem}
      errorProps={{ role: "alert" }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a second way; the button is the one for everybody. */}
      <div
        className={classes.row}
        data-over={isOver || undefined}
        onDragOver={(event) => over(event, true)}
        onDragLeave={(event) => over(event, false)}
        onDrop={drop}
      >
        <Sample logo={logo} />
        <div className={classes.acts}>
          <input
            ref={input}
            type="file"
            accept={accepted}
            hidden
            onChange={({ currentTarget: { files } }) => files?.[0] && set(files[0])}
          />
          <Button
            variant="default"
            size="sm"
            loading={isBusy}
            onClick={() => input.current?.click()}
            aria-describedby={`${id}-description${problem ? ` ${id}-error` : ""}`}
          >
            {t(logo === null ? "logoUpload" : "logoReplace")}
          </Button>
          {logo !== null && (
            <Button variant="default" size="sm" disabled={isBusy} onClick={() => set(null)}>
              {t("logoRemove")}
            </Button>
          )}
        </div>
      </div>
    </Input.Wrapper>
  );
}

function Sample({ logo }: Pick<Props, "logo">) {
  const t = useTranslations("accountForm");
  return (
    <span className={classes.sample} data-empty={logo === null || undefined}>
      {logo === null ? (
        <IconPhoto size={20} aria-hidden />
      ) : (
        // biome-ignore lint/performance/noImgElement: already small, and served by its hash.
        <img src={logo} alt={t("logoNow")} className={classes.image} />
      )}
    </span>
  );
}
