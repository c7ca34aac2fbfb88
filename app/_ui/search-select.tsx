// Chooses one of any number of records, which the server searches:
// const choice = useSearchChoice({ value: "", label: t("none") }, initial);
// const { data, isFetching } = useQuery(… choice.q …, searchOptions);
// <SearchSelect {...field} {...{ choice, found, isFetching }} noMatch={t("noMatch")} onChoose={…} />
// A combobox with a list box and manual selection, as the ARIA Authoring Practices describe it. Its list is part of the
// page, so that it also works in a dialog.
"use client";
import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSelector } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import { limits } from "@/server/kit/limits";
import classes from "./search-select.module.css";

interface SearchOption {
  value: string;
  label: string;
}

export type SearchFieldProps = Pick<
  TextInputProps,
  "id" | "name" | "label" | "description" | "error" | "onBlur" | "onFocus"
>;

interface Props extends SearchFieldProps {
  choice: ReturnType<typeof useSearchChoice>;
  /** What the server found for `choice.q`; undefined before its first answer. */
  found: readonly SearchOption[] | undefined;
  isFetching: boolean;
  noMatch: string;
  /** How an option looks in the list; its label if absent. */
  contentOf?(option: SearchOption): ReactNode;
  onChoose(value: string): void;
}

const typingMs = 200;

/** How the matches are asked for: an answer to an earlier text remains until the next, and its call is aborted. */
export const searchOptions = {
  placeholderData: keepPreviousData,
  staleTime: 0,
  trpc: { abortOnUnmount: true },
} as const;

/** The choice and the typed text. `q` is the text to search for: empty while the field shows the choice. */
export function useSearchChoice(none: SearchOption, initial: SearchOption | null) {
  const [chosen, setChosen] = useState(initial ?? none);
  const [typed, setTyped] = useState(chosen.label);
  const [q] = useDebouncedValue(typed === chosen.label ? "" : typed.trim(), typingMs);
  return { none, chosen, setChosen, typed, setTyped, q };
}

/** The form gets the value of the choice under `name`. */
export function SearchSelect({ choice, found, isFetching, noMatch, contentOf, onChoose, name, ...field }: Props) {
  const t = useTranslations("form");
  const { none, chosen, setChosen, typed, setTyped } = choice;
  // Once something is typed, only matches of it are offered.
  const options = [...(typed === chosen.label ? [none] : []), ...(found ?? [])];
  const { isOpen, setIsOpen, marked, listId, idOf, onKeyDown } = useList(options, choose);
  function choose(option: SearchOption) {
    setChosen(option);
    setTyped(option.label);
    setIsOpen(false);
    onChoose(option.value);
  }
  return (
    <>
      <TextInput
        {...field}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen && marked ? idOf(marked) : undefined}
        autoComplete="off"
        maxLength={limits.searchText}
        rightSection={<IconSelector size={16} aria-hidden className={classes.arrow} />}
        inputContainer={(input) => (
          <div className={classes.place}>
            {input}
            <div className={classes.dropdown} hidden={!isOpen}>
              <div id={listId} role="listbox" aria-label={t("matches")} className={classes.list}>
                {options.map((option) => (
                  <Option
                    key={option.value}
                    id={idOf(option)}
                    isChosen={option.value === chosen.value}
                    isMarked={option === marked}
                    onChoose={() => choose(option)}
                  >
                    {contentOf?.(option) ?? option.label}
                  </Option>
                ))}
              </div>
              <p role="status" className={options.length === 0 ? classes.nothing : "visually-hidden"}>
                {isOpen && options.length === 0 && (isFetching ? t("searching") : noMatch)}
              </p>
            </div>
          </div>
        )}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setIsOpen(true);
        }}
        onFocus={(event) => {
          // The list opens with a click, a key or the first letter: in a dialog it would cover the buttons.
          event.currentTarget.select();
          field.onFocus?.(event);
        }}
        onClick={() => setIsOpen(true)}
        onBlur={(event) => {
          setIsOpen(false);
          setTyped(chosen.label);
          field.onBlur?.(event);
        }}
        onKeyDown={onKeyDown}
      />
      <input type="hidden" name={name} value={chosen.value} />
    </>
  );
}

interface OptionProps {
  id: string;
  isChosen: boolean;
  isMarked: boolean;
  onChoose(): void;
  children: ReactNode;
}

/** A press does not take the focus from the field. */
const Option = ({ id, isChosen, isMarked, onChoose, children }: OptionProps) => (
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

/**
 * The list below the field: whether it is open, and which option the arrow keys have marked. Enter chooses the marked
 * option. Without one it does nothing while the list is open: it must not send the form with the previous choice.
 */
function useList(options: readonly SearchOption[], choose: (option: SearchOption) => void) {
  const listId = useId();
  const [isOpen, show] = useState(false);
  const [at, setAt] = useState(-1);
  const marked = options[at];
  const idOf = ({ value }: SearchOption) => `${listId}${value}`;
  const markedId = isOpen && marked ? idOf(marked) : null;
  useEffect(() => {
    if (markedId !== null) document.getElementById(markedId)?.scrollIntoView({ block: "nearest" });
  }, [markedId]);
  function setIsOpen(isShown: boolean) {
    setAt(-1);
    show(isShown);
  }
  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (event.nativeEvent.isComposing || (step === undefined && !(isOpen && ["Enter", "Escape"].includes(key)))) return;
    event.preventDefault();
    if (step !== undefined) {
      show(true);
      setAt(at === -1 && step < 0 ? options.length - 1 : (at + step + options.length) % Math.max(1, options.length));
    } else if (key === "Escape") {
      // Only the list closes, not the dialog around it.
      event.stopPropagation();
      setIsOpen(false);
    } else if (marked) choose(marked);
  }
  return { isOpen, setIsOpen, marked, listId, idOf, onKeyDown };
}
