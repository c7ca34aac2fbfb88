// The problems that the summary above a form lists, until they are corrected.
"use client";
import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import type { FieldProblem } from "./problem-summary";

/** The field's id is its name in the form. */
const problemsOf = (errors: Record<string, unknown>): FieldProblem[] =>
  Object.entries(errors).flatMap(([field, text]) => (typeof text === "string" ? [{ field, text }] : []));

/** `onCorrected` is called once the field that a refusal is about has been changed. */
export function useFormProblems<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  onCorrected: () => void,
) {
  const { errors } = form;
  const [problems, setProblems] = useState<FieldProblem[]>([]);
  const [refused, setRefused] = useState<FieldProblem | null>(null);
  const isMarked = useRef(false);
  // A change of a field removes its error. The problem then leaves the summary until the form is sent again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only errors that change are corrected.
  useEffect(() => {
    setProblems((before) => {
      const left = before.filter(({ field }) => errors[field]);
      return left.length < before.length ? left : before;
    });
    if (!refused || !isMarked.current || errors[refused.field]) return;
    setRefused(null);
    onCorrected();
  }, [errors]);
  // After the summary has taken the focus: a field that loses it validates itself, which removes the error.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal.
  useEffect(() => {
    isMarked.current = refused !== null;
    if (refused) form.setFieldError(refused.field, refused.text);
  }, [refused]);
  return {
    fields: refused ? [refused] : problems,
    refused,
    /** What the fields themselves have against their values. */
    found(found: Record<string, unknown>) {
      setProblems(problemsOf(found));
      setRefused(null);
    },
    /** The refusal of the call, if it is about a field. */
    refuse: setRefused,
  };
}
