// The catalog says in the reader's language why a call was refused.
import { expect, test } from "vitest";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import { errorMeanings } from "@/server/kit/errors";

/** No page of the dashboard can get these: they are about the form of a REST call, or of hosted pages. */
const elsewhere = [
  ...["invalid_json", "unknown_path", "method_not_allowed", "unsupported_media_type", "invalid_cursor"],
  ...["refresh_token_invalid", "refresh_token_expired", "token_rotation_failed", "form_expired"],
  // Said with the server's description of the field, or as an unknown outcome.
  ...["invalid_request", "internal_error"],
];

test.each([
  ["en", en],
  ["de", de],
])("every refusal that a page can get has words: %s", (_, { errors }) => {
  const unworded = Object.keys(errorMeanings).filter((code) => !(code in errors) && !elsewhere.includes(code));
  expect(unworded).toEqual([]);
  expect(elsewhere.filter((code) => code in errors || !(code in errorMeanings))).toEqual([]);
});
