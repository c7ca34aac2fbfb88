// Events of one type that a history tells apart have words of their own, in each language.
import { expect, it } from "vitest";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import { nameOf } from "./history-names";

it.each([
  ["updated", {}, "Subscription changed", "Abonnement geändert"],
  [
    "updated_ending",
    { cancel_at_period_end: true, previous_cancel_at_period_end: false },
    "Changed; ends when the period ends",
    "Geändert; endet mit dem Zeitraum",
  ],
  [
    "updated_kept",
    { cancel_at_period_end: false, previous_cancel_at_period_end: true },
    "Cancelation taken back",
    "Kündigung zurückgenommen",
  ],
] as const)("a subscription's history says of %s", (name, data, english, german) => {
  expect(nameOf("subscription.updated", { previous_status: "active", ...data })).toBe(`subscription.${name}`);
  expect(en.history.events.subscription[name]).toBe(english);
  expect(de.history.events.subscription[name]).toBe(german);
});

it.each([
  ["updated", "pending", "pending", "Request updated"],
  ["updated", "expired", "pending", "Request updated"],
  ["updated_disputed", "paid", "disputed", "Status changed to disputed"],
  ["updated_undisputed", "disputed", "paid", "No longer disputed"],
] as const)("a payment request's history says %s from %s to %s", (name, previous_status, status, english) => {
  expect(nameOf("payment.updated", { previous_status, status })).toBe(`payment.${name}`);
  expect(en.history.events.payment[name]).toBe(english);
});
