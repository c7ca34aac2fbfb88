// The scopes of the access table and the words that the dashboard has for them.
import { expect, it } from "vitest";
import messages from "@/messages/en.json";
import { scopes } from "@/server/access/key-scopes";
import { groupsOf, textKeyOf } from "./scopes";

it("groups the scopes by resource, in their order", () => {
  expect(groupsOf(["payments:read", "users:read", "payments:write"])).toEqual([
    { resource: "payments", scopes: ["payments:read", "payments:write"] },
    { resource: "users", scopes: ["users:read"] },
  ]);
});

it("has words for every scope, in a list and in the form", () => {
  const { resources, allows, short } = messages.apiKeys;
  for (const { resource, scopes: each } of groupsOf(scopes)) {
    expect(Object.keys(resources)).toContain(resource);
    for (const scope of each) {
      expect(Object.keys(allows)).toContain(textKeyOf(scope));
      expect(Object.keys(short)).toContain(scope.split(":")[1]);
    }
  }
});
