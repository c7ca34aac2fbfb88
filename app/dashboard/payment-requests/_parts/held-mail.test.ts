// What the page says of an e-mail that was handed over.
import { expect, it } from "vitest";
import { mailOutcome } from "./held-mail";

it("warns of an e-mail that is held, and reports any other as done", () => {
  const text = (key: string) => `text ${key}`;
  expect(mailOutcome("held", text)).toEqual({ done: "text held", tone: "warning" });
  expect(mailOutcome("queued", text)).toEqual({ done: "text done", tone: "done" });
});
