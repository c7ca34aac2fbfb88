// Chooses one of any number of records, which the server searches:
// const choice = useSearchChoice({ value: "", label: t("none") }, initial);
// const { data, isBehind } = useMatches(… choice.q …, searchOptions);
// <SearchSelect {...field} {...{ choice, found, isBehind }} noMatch={t("noMatch")} onChoose={…} />
// A combobox with a list box, as the ARIA Authoring Practices describe it: the first match of what was typed is marked,
// and Enter chooses it. Leaving the field chooses the option whose label was typed, or the only match. If there is none,
// the text stays and is the value, so no form can be sent with an earlier choice that the field no longer shows.
// The list is part of the page, so that it also works in a dialog.
"use client";
import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSelector } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { limits } from "@/server/kit/limits";
import { offered, type SearchOption } from "./offered-options";
import { Option, useOptionList } from "./option-list";
import classes from "./search-select.module.css";

export type SearchFieldProps = Pick<
  TextInputProps,
  "id" | "name" | "label" | "description" | "error" | "onBlur" | "onFocus" | "autoFocus"
>;

interface Props extends SearchFieldProps {
  choice: ReturnType<typeof useSearchChoice>;
  /** What the server found for `choice.q`; undefined before its first answer. */
  found: readonly SearchOption[] | undefined;
  /** Whether `found` may answer an earlier text: an answer is awaited, or the browser is offline. */
  isBehind: boolean;
  noMatch: string;
  /** How an option looks in the list; its label if absent. */
  contentOf?(option: SearchOption): ReactNode;
  onChoose(value: string): void;
}

const typingMs = 200;

/**
 * The choice and the typed text. `q` is the text to search for: empty while the field shows the choice. It follows the
 * typed text after `waitMs`; at once for 0, where all options are here. A `none` without a label is not listed: emptying
 * the field chooses it.
 */
export function useSearchChoice(none: SearchOption, initial: SearchOption | null, waitMs = typingMs) {
  const [chosen, setChosen] = useState(initial ?? none);
  const [typed, setTyped] = useState(chosen.label);
  const text = typed === chosen.label ? "" : typed.trim();
  const [later] = useDebouncedValue(text, waitMs);
  return { none, chosen, setChosen, typed, setTyped, q: waitMs === 0 ? text : later };
}

/** The form gets the value of the choice under `name`. */
export function SearchSelect({ choice, found, isBehind, noMatch, contentOf, onChoose, name, ...field }: Props) {
  const t = useTranslations("form");
  const { chosen, typed } = choice;
  const typing = useTypedChoice({ choice, found, isBehind, onChoose });
  const { options, isUnmatched, isAnswered, choose, type, leave } = typing;
  const { isOpen, setIsOpen, marked, listId, idOf, onKeyDown } = typing.list;
  return (
    <>
      <TextInput
        {...field}
        error={isUnmatched && isAnswered ? t("chooseFromList") : field.error}
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
                {isOpen &&
                  options.map((option) => (
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
                {isOpen && options.length === 0 && (isBehind ? t("searching") : noMatch)}
              </p>
            </div>
          </div>
        )}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onFocus={(event) => {
          // The list opens with a click, a key or the first letter: in a dialog it would cover the buttons.
          event.currentTarget.select();
          field.onFocus?.(event);
        }}
        onClick={() => setIsOpen(true)}
        onBlur={(event) => {
          leave();
          field.onBlur?.(event);
        }}
        onKeyDown={onKeyDown}
      />
      <input type="hidden" name={name} value={isUnmatched ? typed : chosen.value} />
    </>
  );
}

/** The typed text: the options that match it, and what chooses one of them. */
function useTypedChoice({
  choice,
  found,
  isBehind,
  onChoose,
}: Pick<Props, "choice" | "found" | "isBehind" | "onChoose">) {
  const { none, chosen, setChosen, typed, setTyped, q } = choice;
  const isTyped = typed !== chosen.label;
  const isEmpty = typed.trim() === "";
  const isAnswered = !isBehind && q === typed.trim();
  // Once something is typed, only matches of it are offered.
  const options = isTyped ? offered(found ?? [], typed, isAnswered) : [...listed(none), ...(found ?? [])];
  // What the reader did before the matches of the typed text were known.
  const [waiting, setWaiting] = useState<"enter" | "left" | null>(null);
  const isUnmatched = isTyped && waiting === "left";
  const list = useOptionList(options, {
    isFirstMarked: isTyped && !isEmpty && isAnswered,
    choose,
    onEarlyEnter: () => (isEmpty ? choose(none) : setWaiting("enter")),
    // Without its list, the field must not show what is not chosen.
    onEscape: () => setTyped(chosen.label),
  });
  const { setIsOpen } = list;
  function choose(option: SearchOption) {
    setChosen(option);
    setTyped(option.label);
    setIsOpen(false);
    setWaiting(null);
    onChoose(option.value);
  }
  function type(text: string) {
    setTyped(text);
    setWaiting(null);
    setIsOpen(true);
  }
  function leave() {
    setIsOpen(false);
    if (!isTyped) return;
    if (isEmpty) return choose(none);
    setWaiting("left");
    onChoose(typed.trim());
  }
  useEffect(() => {
    if (waiting === null || !isTyped || !isAnswered) return;
    const option = waiting === "enter" ? found?.[0] : matchOf(typed, found ?? []);
    if (option) choose(option);
    else if (waiting === "enter") setWaiting(null);
  });
  return { options, list, isUnmatched, isAnswered, choose, type, leave };
}

const listed = (none: SearchOption): SearchOption[] => (none.label === "" ? [] : [none]);

/** The option with the typed label, or else the only one. */
function matchOf(typed: string, found: readonly SearchOption[]): SearchOption | undefined {
  const text = typed.trim().toLocaleLowerCase();
  return found.find(({ label }) => label.toLocaleLowerCase() === text) ?? (found.length === 1 ? found[0] : undefined);
}
