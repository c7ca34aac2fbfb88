// A picture of a pay page, as it looks on a phone or a computer.
"use client";
import { useElementSize } from "@mantine/hooks";
import { useTranslations } from "next-intl";
import { useState } from "react";
import classes from "./pay-page-frame.module.css";

/** In CSS pixels. */
const screens = { phone: { width: 375, height: 640 }, computer: { width: 1024, height: 680 } } as const;
type Screen = keyof typeof screens;
const names = Object.keys(screens) as Screen[];

interface Props {
  /** What the frame shows, for those who cannot see it. */
  title: string;
  /** The page; empty until it is known. */
  html: string;
  /** Why there is no page: something in the form is not valid, or something else; null if there is one. */
  problem?: "invalid" | "failed" | null;
}

export function PayPageFrame({ title, html, problem = null }: Props) {
  const t = useTranslations("payPreview");
  const [screen, setScreen] = useState<Screen>("phone");
  const { ref, width: room } = useElementSize();
  const { width, height } = screens[screen];
  const scale = room === 0 ? 1 : Math.min(1, room / width);
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{t("heading")}</span>
        <span role="radiogroup" aria-label={t("screen")} className={classes.screens}>
          {names.map((name) => (
            <label key={name} className={classes.screen}>
              <input
                type="radio"
                name="preview_screen"
                className="visually-hidden"
                checked={screen === name}
                onChange={() => setScreen(name)}
              />
              {t(`screens.${name}`)}
            </label>
          ))}
        </span>
      </figcaption>
      <div ref={ref} className={classes.room} style={{ height: height * scale }}>
        {problem !== null ? (
          <p className={classes.problem}>{t(problem)}</p>
        ) : (
          // Nothing in it can be used, runs or goes anywhere. Each page has a frame of its own: a frame that changes its
          // page adds to the browser's history, and Back would lead to the page before instead of out of the form.
          <iframe
            key={html}
            title={title}
            className={classes.page}
            style={{ width, height, transform: `scale(${scale})` }}
            srcDoc={html}
            sandbox=""
            inert
          />
        )}
      </div>
    </figure>
  );
}
