// Every kind of job has words in both languages of the dashboard.
import { createTranslator } from "next-intl";
import { expect, test } from "vitest";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import { priorityOf } from "@/server/domains/jobs/queue";

test.each([
  ["en", en],
  ["de", de],
] as const)("every kind of job has words: %s", (locale, messages) => {
  const t = createTranslator({ locale, messages, namespace: "jobs" });
  const unworded = Object.keys(priorityOf).filter((kind) => {
    return t("kindOf", { kind: kind.replace(".", "_"), name: "?" }) === "?";
  });
  expect(unworded).toEqual([]);
});
