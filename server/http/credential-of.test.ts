// The credential by which limits distinguish callers: only the one that is used.
import { expect, test } from "vitest";
import { credentialOf } from "./credential-of";

const find = credentialOf("quittance_session");
const both = { authorization: "Bearer token", cookie: "a=b; quittance_session=secret" };

test("each part of the server uses its own credential", () => {
  expect(find(both, "rest")).toBe("token");
  expect(find(both, "pages")).toBe("secret");
  expect(find(both, "hosted")).toBeNull();
});

test("other credentials in the request have no effect", () => {
  expect(find({ ...both, authorization: "junk" }, "pages")).toBe("secret");
  expect(find({ ...both, cookie: "quittance_session=junk" }, "rest")).toBe("token");
  expect(find({ authorization: "Basic junk" }, "rest")).toBeNull();
  expect(find({}, "pages")).toBeNull();
});

test("different spellings of a header mean the same caller", () => {
  for (const authorization of ["bearer token", "BEARER   token", " Bearer token "]) {
    expect(find({ authorization }, "rest")).toBe("token");
  }
});
