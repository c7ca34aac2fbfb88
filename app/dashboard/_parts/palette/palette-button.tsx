// Opens the search over everything: a button in the top bar, and Ctrl K or ⌘ K anywhere. Its code loads on first use.
"use client";
import { UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { Suspense, useEffect, useRef, useState } from "react";
import { Dialog } from "@/app/_ui/dialog";
import { onDemand } from "@/app/_ui/on-demand";
import { limits } from "@/server/kit/limits";
import type { Offer } from "./goals";
import classes from "./palette-button.module.css";

const Palette = onDemand(async () => (await import("./palette")).Palette);

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

interface EarlyProps {
  label: string;
  onText(text: string): void;
}

/** What is typed while the code loads. */
function EarlyField({ label, onText }: EarlyProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <input
      ref={field}
      className={classes.early}
      aria-label={label}
      autoComplete="off"
      maxLength={limits.searchText}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

/** On Apple systems ⌘ K alone, because Ctrl K deletes text there. */
const isShortcut = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && !altKey && !shiftKey && (isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey);

export function PaletteButton({ offer }: { offer: Offer }) {
  const t = useTranslations("palette");
  const [isOpen, setIsOpen] = useState(false);
  const [keys, setKeys] = useState("Ctrl K");
  const early = useRef("");
  function close() {
    early.current = "";
    setIsOpen(false);
  }
  useEffect(() => {
    if (isApple()) setKeys("⌘ K");
    function onKeyDown(event: KeyboardEvent) {
      if (!isShortcut(event)) return;
      event.preventDefault();
      // Not above another dialog.
      setIsOpen((was) => !was && document.querySelector("dialog[open]") === null);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <UnstyledButton
        className={classes.button}
        aria-label={t("open")}
        aria-haspopup="dialog"
        aria-keyshortcuts={keys.startsWith("⌘") ? "Meta+K" : "Control+K"}
        title={`${t("open")} (${keys})`}
        onClick={() => setIsOpen(true)}
      >
        <IconSearch size={18} stroke={1.75} aria-hidden className={classes.icon} />
        <span className={classes.label}>{t("search")}</span>
        <span className={classes.keys} data-keys={keys} aria-hidden />
      </UnstyledButton>
      <Dialog isOpen={isOpen} onClose={close} title={t("open")} placement="top">
        <Suspense
          fallback={
            <>
              <EarlyField
                label={t("open")}
                onText={(text) => {
                  early.current = text;
                }}
              />
              <p className={classes.loading}>{t("loading")}</p>
            </>
          }
        >
          <Palette offer={offer} early={early} onLeave={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
