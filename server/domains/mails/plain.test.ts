// Texts of users in mails: no name hides an encoded word, and no reference is a link.
import { expect, it } from "vitest";
import { headerText, inert, senderName } from "./plain";

it.each(["=?UTF-8?B?ZXZpbA==?=", "=\u200b?UTF-8?B?ZXZpbA==?=", "=\u2060\ufeff?UTF-8?Q?evil?="])(
  "a header decodes nothing of %j",
  (text) => {
    expect(headerText(text)).not.toContain("=?");
    expect(senderName(text)).not.toContain("=?");
  },
);

it("mail programs find no link in a reference", () => {
  expect(inert("https://evil.example/refund")).not.toMatch(/https:\/\/|evil\.example/);
});
