// Codes in audit entries have words in each language of the dashboard; other texts stay as they are.
import { expect, it } from "vitest";
import { catalogs } from "@/app/_i18n/catalogs";
import { paymentStatuses, paymentTypes, subscriptionStatuses, transactionTypes, userRoles } from "@/db/schema/values";
import { endReasons } from "@/server/domains/sessions/rules";
import { wordOfValue } from "./coded-value";

const wordsIn = (words: Record<string, unknown>) => (code: string) =>
  typeof words[code] === "string" ? words[code] : undefined;

it.each(["en", "de"] as const)("statuses, roles, types and reasons have words (%s)", (language) => {
  const { auditLog, status } = catalogs[language];
  const wordOf = (field: string) => (value: string) =>
    wordOfValue(field, value, wordsIn(auditLog.values), wordsIn(status)) === value ? [`${field}: ${value}`] : [];
  const without = [
    ...[...paymentStatuses, ...subscriptionStatuses].flatMap(wordOf("previous_status")),
    ...[...paymentTypes, ...transactionTypes].flatMap(wordOf("type")),
    ...userRoles.flatMap(wordOf("role")),
    ...endReasons.flatMap(wordOf("reason")),
    ...["invalid_credentials", "invalid_otp", "opened", "rate_limited"].flatMap(wordOf("outcome")),
  ];
  expect(without).toEqual([]);
});

it("leaves alone what is no code, and what only looks like one", () => {
  const word = () => "word";
  expect(wordOfValue("name", "open", word, word)).toBe("open");
  expect(wordOfValue("reason", "moving", () => undefined, word)).toBe("moving");
  expect(
    wordOfValue(
      "status",
      "unheard_of",
      () => undefined,
      () => undefined,
    ),
  ).toBe("unheard_of");
  expect(wordOfValue("status", "open", () => undefined, word)).toBe("word");
});
