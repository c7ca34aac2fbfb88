// Single-key shortcuts and the dialog that lists them. An element declares its key in `aria-keyshortcuts`: the key
// focuses a field, and follows a link or presses a button.
"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { Suspense, useEffect, useRef, useState } from "react";
import { Dialog } from "@/app/_ui/dialog";
import { mayLeave } from "@/app/_ui/leave-question";
import { onDemand } from "@/app/_ui/on-demand";
import { useShortcutSetting } from "./shortcut-setting";

const ShortcutList = onDemand(async () => (await import("./shortcut-list")).ShortcutList);

/** After `g`. */
const places: Readonly<Record<string, string>> = {
  h: "/dashboard",
  p: "/dashboard/payment-requests",
  t: "/dashboard/transactions",
  a: "/dashboard/accounts",
};
const newRequest = "/dashboard/payment-requests/new";
const chordMs = 1500;

/** Text fields and anything above the page, such as dialogs, get all keys. */
const takesKeys = "input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu], dialog";

/** Moves the focus to the next or previous row of a list. */
function moveInRows(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("[data-row-link]")];
  const row = document.activeElement?.closest("tr") ?? null;
  const at = links.findIndex((link) => row?.contains(link));
  links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)]?.focus();
}

const selectRow = () =>
  document.activeElement?.closest("tr")?.querySelector<HTMLElement>("input[type=checkbox]")?.click();

/** Activates the element that declares the key; returns whether there is one. */
function followElement(key: string): boolean {
  const element = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
  if (element instanceof HTMLInputElement) element.focus();
  else element?.click();
  return element !== null;
}

export function Shortcuts({ mayCreate }: { mayCreate: boolean }) {
  const router = useRouter();
  const [isOn] = useShortcutSetting();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const chordUntil = useRef(0);
  useEffect(() => {
    if (!isOn) return;
    const go = (address: string) => mayLeave() && router.push(address);
    /** Whether the key was a shortcut. */
    function handle(key: string, isChord: boolean): boolean {
      const place = isChord ? places[key] : undefined;
      if (place !== undefined) go(place);
      else if (key === "g") chordUntil.current = Date.now() + chordMs;
      else if (key === "?") setIsHelpOpen(true);
      else if (key === "j") moveInRows(1);
      else if (key === "k") moveInRows(-1);
      else if (key === "x") selectRow();
      else if (key === "n" && !followElement(key) && mayCreate) go(newRequest);
      else if (key === "/" || key === "e") return followElement(key);
      else return key === "n";
      return true;
    }
    function onKeyDown(event: KeyboardEvent) {
      const isTaken = event.target instanceof Element && event.target.closest(takesKeys) !== null;
      const isBlocked = isTaken || document.querySelector("dialog[open], [role=menu]") !== null;
      if (isBlocked || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const isChord = Date.now() < chordUntil.current;
      chordUntil.current = 0;
      if (handle(event.key, isChord)) event.preventDefault();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isOn, mayCreate, router]);
  return <ShortcutHelp mayCreate={mayCreate} isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />;
}

interface HelpProps {
  mayCreate: boolean;
  isOpen: boolean;
  onClose(): void;
}

/** The dialog that lists the shortcuts, and turns them off and on. */
export function ShortcutHelp({ mayCreate, isOpen, onClose }: HelpProps) {
  const t = useTranslations("shortcuts");
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t("title")}>
      <Suspense>
        <ShortcutList mayCreate={mayCreate} />
      </Suspense>
    </Dialog>
  );
}
