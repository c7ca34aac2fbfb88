// The list of options below a combobox: which option is marked, what the keys do.
"use client";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import type { SearchOption } from "./offered-options";
import classes from "./search-select.module.css";

interface OptionProps {
  id: string;
  isChosen: boolean;
  isMarked: boolean;
  onChoose(): void;
  children: ReactNode;
}

/** A press does not take the focus from the field. */
export const Option = ({ id, isChosen, isMarked, onChoose, children }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and handles the keys.
  <div
    id={id}
    role="option"
    aria-selected={isChosen}
    data-marked={isMarked || undefined}
    className={classes.option}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onChoose}
  >
    {children}
  </div>
);

interface ListUse {
  /** Whether the first option is marked until an arrow key marks another. */
  isFirstMarked: boolean;
  choose(option: SearchOption): void;
  /** Enter was pressed while no option was marked, because the matches were not yet known. */
  onEarlyEnter(): void;
  onEscape(): void;
}

/**
 * The list below the field: whether it is open, and which option is marked. Enter chooses that one. While the list is open,
 * Enter never sends the form: that would send the previous choice. A mark stays with its option, wherever a later answer
 * puts that one, and is gone with it: no other option takes its place unseen.
 */
export function useOptionList(
  options: readonly SearchOption[],
  { isFirstMarked, choose, onEarlyEnter, onEscape }: ListUse,
) {
  const listId = useId();
  const [isOpen, show] = useState(false);
  const [arrowed, setArrowed] = useState<string | null>(null);
  const first = isFirstMarked ? 0 : -1;
  const at = arrowed === null ? first : options.findIndex(({ value }) => value === arrowed);
  const marked = options[at];
  const idOf = ({ value }: SearchOption) => `${listId}${value}`;
  const markedId = isOpen && marked ? idOf(marked) : null;
  useEffect(() => {
    if (markedId !== null) document.getElementById(markedId)?.scrollIntoView({ block: "nearest" });
  }, [markedId]);
  function setIsOpen(isShown: boolean) {
    setArrowed(null);
    show(isShown);
  }
  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (event.nativeEvent.isComposing || (step === undefined && !(isOpen && ["Enter", "Escape"].includes(key)))) return;
    event.preventDefault();
    if (step !== undefined) {
      show(true);
      const to =
        at === -1 && step < 0 ? options.length - 1 : (at + step + options.length) % Math.max(1, options.length);
      setArrowed(options[to]?.value ?? null);
    } else if (key === "Escape") {
      // Only the list closes, not the dialog around it.
      event.stopPropagation();
      setIsOpen(false);
      onEscape();
    } else if (marked) choose(marked);
    else if (!isFirstMarked) onEarlyEnter();
  }
  return { isOpen, setIsOpen, marked, mark: setArrowed, listId, idOf, onKeyDown };
}
