// Rules of sessions that need no database: stated reasons, spent tokens, expiry.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expiryOf, meaningOfSpent, statedReason } from "./rules";

describe("a stated reason", () => {
  const member = { isAdmin: false, isOwn: true };
  const admin = { isAdmin: true, isOwn: false };

  it("is stored as is if known, else as `other` with the text", () => {
    for (const known of ["user_logout", "logout_everywhere", "device_lost", "credentials_compromised"]) {
      expect(statedReason(known, member)).toEqual({ reason: known, text: null });
    }
    expect(statedReason("USER_LOGOUT", member)).toEqual({ reason: "other", text: "USER_LOGOUT" });
    expect(statedReason("other", member)).toEqual({ reason: "other", text: null });
  });

  it("has a default that says who did it", () => {
    for (const nothing of [undefined, "", "  "]) {
      expect(statedReason(nothing, member)).toEqual({ reason: "user_logout", text: null });
      expect(statedReason(nothing, admin)).toEqual({ reason: "admin_action", text: null });
    }
  });

  it("is `admin_action` only if an admin states it, and never one of the service's reasons", () => {
    expect(statedReason("admin_action", admin)).toEqual({ reason: "admin_action", text: null });
    expect(statedReason("admin_action", member)).toEqual({ reason: "other", text: "admin_action" });
    for (const service of ["refresh_token_reuse", "session_limit", "user_removed", "account_closed", "replaced"]) {
      expect(statedReason(service, admin)).toEqual({ reason: "other", text: service });
    }
  });
});

describe("a spent token", () => {
  it("means a lost race until it was spent, a client's mistake for ten seconds, then theft", () => {
    const instant = fc.integer({ min: 0, max: 4_102_444_800_000 });
    const distance = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(instant, distance, fc.nat(100_000), (spentAt, sinceSpent, served) => {
        const receivedAt = spentAt + sinceSpent;
        const now = receivedAt + served;
        const expected = sinceSpent <= 0 ? "race_lost" : now - spentAt < 10_000 ? "slip" : "reuse";
        expect(meaningOfSpent({ spentAt, receivedAt, now })).toBe(expected);
      }),
    );
  });
});

describe("a session's expiry", () => {
  it("is the earlier of idle and absolute", () => {
    expect(expiryOf({ idleUntil: null, absoluteUntil: 10 })).toBe(10);
    expect(expiryOf({ idleUntil: 5, absoluteUntil: 10 })).toBe(5);
    expect(expiryOf({ idleUntil: 15, absoluteUntil: 10 })).toBe(10);
  });
});
