// Merging of preferences and metadata, and the versions that If-Match compares.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesVersion } from "@/server/kit/version";
import { accountTag, isInScope, mergeMetadata, mergePreferences, noPreferences } from "./rules";
import type { Account } from "./schema";

describe("mergePreferences", () => {
  const full = {
    default_currency: "EUR",
    locale: "de",
    timezone: "Europe/Vienna",
    statement_descriptor: "BAKERY",
    reminder_hour: 7,
    notifications: { paid: true, failed: false },
    branding: { color: "#112233", logo_url: "https://example.com/logo.png" },
  };

  it("leaves absent fields, clears null ones, merges objects", () => {
    expect(mergePreferences(full, {})).toEqual(full);
    const patch = {
      locale: null,
      notifications: { failed: null, refunded: true },
      branding: { color: null },
    };
    expect(mergePreferences(full, patch)).toEqual({
      ...full,
      locale: null,
      notifications: { paid: true, refunded: true },
      branding: { color: null, logo_url: full.branding.logo_url },
    });
  });

  it("clears everything but the logo with null", () => {
    const cleared = { ...noPreferences, branding: { color: null, logo_url: full.branding.logo_url } };
    expect(mergePreferences(full, null)).toEqual(cleared);
    expect(mergePreferences(full, { notifications: null, branding: null })).toEqual({
      ...full,
      notifications: {},
      branding: { color: null, logo_url: full.branding.logo_url },
    });
  });
});

describe("mergeMetadata", () => {
  const keys = fc.constantFrom("a", "b", "c", "toString");
  const metadata = fc.dictionary(keys, fc.string());
  const patches = fc.dictionary(keys, fc.option(fc.string()));

  it("takes each key from the patch, else keeps it", () => {
    fc.assert(
      fc.property(metadata, patches, (current, patch) => {
        const merged = mergeMetadata(current, patch);
        for (const key of ["a", "b", "c", "toString"]) {
          const expected = Object.hasOwn(patch, key) ? patch[key] : Object.hasOwn(current, key) ? current[key] : null;
          expect(Object.hasOwn(merged, key) ? merged[key] : null).toEqual(expected);
        }
      }),
    );
  });

  it("clears everything with null and changes nothing when absent", () => {
    expect(mergeMetadata({ a: "1" }, null)).toEqual({});
    expect(mergeMetadata({ a: "1" }, undefined)).toEqual({ a: "1" });
  });
});

describe("isInScope", () => {
  const account = { id: "acct_1", ownerUserId: "usr_1" };
  const scope = { organizationId: "org_1", ownerUserId: null, accountId: null };

  it("depends on the owner and the bound account", () => {
    expect(isInScope(scope, account)).toBe(true);
    expect(isInScope({ ...scope, ownerUserId: "usr_1" }, account)).toBe(true);
    expect(isInScope({ ...scope, ownerUserId: "usr_2" }, account)).toBe(false);
    expect(isInScope({ ...scope, ownerUserId: "usr_1" }, { ...account, ownerUserId: null })).toBe(false);
    expect(isInScope({ ...scope, accountId: "acct_1" }, account)).toBe(true);
    expect(isInScope({ ...scope, accountId: "acct_2" }, account)).toBe(false);
  });
});

describe("versions", () => {
  const at = Date.UTC(2026, 0, 1);
  const invoice = { prefix_conflict: null } as Account["preferences"]["invoice"];
  const account = {
    updated_at: new Date(at).toISOString(),
    balances: [],
    preferences: { invoice },
  } as object as Account;
  const tag = `"${accountTag(account)}"`;

  it("match the ETag of the same record, whatever its balances are and however shared its prefix is", () => {
    const balances = [
      { currency: "EUR", available: 1, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 },
    ];
    const richer = `"${accountTag({ ...account, balances })}"`;
    const conflict = { account_id: "acct_2", account_name: "Bakery", proposed_prefix: "B-" };
    const { preferences } = account;
    const sharing = { ...preferences, invoice: { ...preferences.invoice, prefix_conflict: conflict } };
    const shared = `"${accountTag({ ...account, preferences: sharing })}"`;
    expect(new Set([tag, richer, shared]).size).toBe(3);
    for (const one of [tag, richer, shared]) expect(matchesVersion(one, at)).toBe(true);
    expect(matchesVersion(`"other", ${tag}`, at)).toBe(true);
    expect(matchesVersion("*", at)).toBe(true);
  });

  it("match neither another record nor a weak ETag", () => {
    expect(matchesVersion(tag, at + 1)).toBe(false);
    expect(matchesVersion(`W/${tag}`, at)).toBe(false);
    expect(matchesVersion('""', at)).toBe(false);
    expect(matchesVersion("garbage", at)).toBe(false);
  });
});
