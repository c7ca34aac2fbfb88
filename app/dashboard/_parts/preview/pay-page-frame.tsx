// A picture of a page for a customer, as it looks on a phone or a computer.
"use client";
import { useElementSize } from "@mantine/hooks";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { FrameChoice } from "./frame-choice";
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
  /** Whether another page is on its way. */
  isBehind?: boolean;
  /** Why there is no page: something in the form is not valid, or something else; null if there is one. */
  problem?: "invalid" | "failed" | null;
  /** Instead of the heading: a choice of what the frame shows. */
  heading?: ReactNode;
}

export function PayPageFrame({ title, html, isBehind = false, problem = null, heading }: Props) {
  const t = useTranslations("payPreview");
  const [screen, setScreen] = useState<Screen>("phone");
  const { ref, width: room } = useElementSize();
  const { width, height } = screens[screen];
  const scale = room === 0 ? 1 : Math.min(1, room / width);
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        {heading || <span className={classes.title}>{t("heading")}</span>}
        <FrameChoice<Screen>
          name="preview_screen"
          label={t("screen")}
          choices={names.map((value) => ({ value, label: t(`screens.${value}`) }))}
          chosen={screen}
          onChoose={setScreen}
        />
      </figcaption>
      <div ref={ref} className={classes.room} aria-busy={isBehind} style={{ height: height * scale }}>
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
