// The account's pay page with the color and logo of the form, as it looks on a phone or a computer.
"use client";
import { useDebouncedValue, useElementSize } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import classes from "./page-preview.module.css";

interface Props {
  accountId: string;
  /** As typed; anything but `#rrggbb` shows the product's own color. */
  color: string;
  /** The path of the logo, which the server already knows. */
  logo: string | null;
}

/** In CSS pixels. */
const screens = { phone: { width: 375, height: 640 }, computer: { width: 1024, height: 680 } } as const;
type Screen = keyof typeof screens;
const names = Object.keys(screens) as Screen[];

const typingMs = 200;

export function PagePreview({ accountId, color, logo }: Props) {
  const t = useTranslations("accountForm");
  const [screen, setScreen] = useState<Screen>("phone");
  const { ref, width: room } = useElementSize();
  const [shown] = useDebouncedValue(color.trim(), typingMs);
  const { data, isError } = useQuery({
    queryKey: ["page-preview", accountId, shown, logo],
    queryFn: () => readPreview(accountId, shown),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { width, height } = screens[screen];
  const scale = room === 0 ? 1 : Math.min(1, room / width);
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{t("preview")}</span>
        <span role="radiogroup" aria-label={t("previewScreen")} className={classes.screens}>
          {names.map((name) => (
            <label key={name} className={classes.screen}>
              <input
                type="radio"
                name="preview_screen"
                className="visually-hidden"
                checked={screen === name}
                onChange={() => setScreen(name)}
              />
              {t(`previewScreens.${name}`)}
            </label>
          ))}
        </span>
      </figcaption>
      <div ref={ref} className={classes.room} style={{ height: height * scale }}>
        {isError ? (
          <p className={classes.problem}>{t("previewFailed")}</p>
        ) : (
          // A picture of a page: nothing in it can be used, runs or goes anywhere.
          <iframe
            title={t("previewTitle")}
            className={classes.page}
            style={{ width, height, transform: `scale(${scale})` }}
            srcDoc={data ?? ""}
            sandbox=""
            inert
          />
        )}
      </div>
    </figure>
  );
}

async function readPreview(accountId: string, color: string): Promise<string> {
  const response = await fetch(`/dashboard/accounts/${accountId}/preview?${new URLSearchParams({ color })}`);
  if (!response.ok) throw new Error(`The preview answered ${response.status}.`);
  return response.text();
}
