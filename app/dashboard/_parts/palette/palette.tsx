// The search over everything: a field, and below it what the text leads to. Arrow keys move, Enter opens, Esc closes.
// A combobox with a list box, as the ARIA Authoring Practices describe it (editable, list autocomplete).
"use client";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTRPC } from "@/app/_trpc/client";
import { useRefusalText } from "@/app/_trpc/refusal";
import { mayLeave } from "@/app/_ui/leave-question";
import { limits } from "@/server/kit/limits";
import { useActs } from "./acts";
import { ChoiceList, idOfChoice } from "./choice-list";
import { type Choice, type Group, isSearchable, useGoals, useLists, useRecords } from "./choices";
import type { Offer } from "./goals";
import classes from "./palette.module.css";

const typingMs = 150;

/** The answer to the text. `isCurrent`: false while it answers an earlier text. */
function useAnswer(typed: string) {
  const [q] = useDebouncedValue(typed, typingMs);
  const enabled = isSearchable(q);
  const options = { enabled, placeholderData: keepPreviousData, trpc: { abortOnUnmount: true } };
  const { data, error, isPlaceholderData } = useQuery(useTRPC().search.find.queryOptions({ q }, options));
  const isCurrent = q === typed && enabled && data !== undefined && !isPlaceholderData;
  return { found: isSearchable(typed) ? data : undefined, isCurrent, error: q === typed ? error : null };
}

/**
 * The choice that Enter opens: the first, until arrow keys mark another. That mark stays with its choice, wherever an
 * answer puts it. `onKeyDown` is for the field, `reset` for a changed text.
 */
function useMarked(choices: readonly Choice[], listId: string, onLeave: () => void) {
  const router = useRouter();
  const [wanted, setWanted] = useState<string | null>(null);
  const at = wanted === null ? 0 : choices.findIndex((choice) => idOfChoice(listId, choice) === wanted);
  const marked = choices[at];
  const markedId = marked && idOfChoice(listId, marked);
  useEffect(() => {
    if (markedId !== undefined) document.getElementById(markedId)?.scrollIntoView({ block: "nearest" });
  }, [markedId]);
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.nativeEvent.isComposing || (step === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (step !== undefined) {
      const next = choices[(at + step + choices.length) % Math.max(1, choices.length)];
      setWanted(next ? idOfChoice(listId, next) : null);
    } else if (marked?.run) marked.run();
    else if (marked?.href !== undefined && mayLeave()) {
      onLeave();
      router.push(marked.href);
    }
  }
  return { marked, markedId, onKeyDown, reset: () => setWanted(null) };
}

/** Why the server is not asked for the text; empty if it is, or nothing is typed. */
function useProblem(typed: string): string {
  const t = useTranslations("palette");
  if (typed === "" || isSearchable(typed)) return "";
  return /[\p{L}\p{N}]/u.test(typed) ? t("tooManyWords", { count: limits.searchWords }) : t("noWord");
}

/** Very many words begin with one letter, so only those of the newest records are found. */
const isLetter = (typed: string): boolean => Array.from(typed).length === 1;

interface Props {
  offer: Offer;
  /** The text of the field that this one replaces. */
  early: { readonly current: string };
  onLeave(): void;
}

export function Palette({ offer, early, onLeave }: Props) {
  const t = useTranslations("palette");
  const refusalText = useRefusalText();
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [text, setText] = useState("");
  const typed = text.trim();
  const { found, isCurrent, error } = useAnswer(typed);
  const acts = useActs(onLeave);
  const refusal = acts.error ?? error;
  const records = useRecords(offer, found, typed);
  // What needs no answer comes first, so that the answer moves nothing that Enter would choose.
  const groups: Group[] = [
    ...useGoals(offer, typed, acts.choices),
    ...records,
    useLists(offer, isCurrent ? found : undefined, typed),
  ];
  // What answers an earlier text is shown until the answer is here, but cannot be chosen.
  const stale = isCurrent ? [] : records;
  const choices = groups.filter((group) => !stale.includes(group)).flatMap((group) => group.choices);
  const { marked, markedId, onKeyDown, reset } = useMarked(choices, listId, onLeave);
  // In the commit that replaces the early field: until then, that field takes the keys; afterwards, keys would be lost
  // if this field did not have the focus.
  useLayoutEffect(() => {
    setText(early.current);
    field.current?.focus();
  }, [early]);
  // When both appear at once, the dialog opens after the layout effects of its content.
  useEffect(() => field.current?.focus(), []);
  const count = choices.length;
  const problem = useProblem(typed);
  return (
    <div className={classes.palette}>
      <TextInput
        className={classes.field ?? ""}
        variant="unstyled"
        size="md"
        role="combobox"
        aria-label={t("open")}
        aria-autocomplete="list"
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-activedescendant={markedId}
        placeholder={t("placeholder")}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        inputMode="search"
        enterKeyHint="go"
        autoComplete="off"
        ref={field}
        maxLength={limits.searchText}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          reset();
          acts.reset();
        }}
        onKeyDown={onKeyDown}
      />
      {refusal !== null && (
        <p role="alert" className={classes.refusal}>
          {refusalText(refusal)}
        </p>
      )}
      <ChoiceList id={listId} groups={groups} stale={stale} marked={marked} onLeave={onLeave} />
      <p role="status" className={problem || (isCurrent && count === 0) ? classes.nothing : "visually-hidden"}>
        {problem || (isCurrent ? t(isLetter(typed) && count === 0 ? "oneLetter" : "found", { count, q: typed }) : "")}
      </p>
    </div>
  );
}
