// X-Forwarded-For is believed only as far as proxies are trusted. An IPv6 caller counts by its /64 block.
import { describe, expect, it } from "vitest";
import { addressBlock, addressTest, callerFinder, plainNetwork } from "@/server/kit/peer";

const peerAddress = "10.0.0.1";
const callerAddress = (peer: string | null, forwardedFor: string | null, trusted: Parameters<typeof callerFinder>[0]) =>
  callerFinder(trusted)(peer, forwardedFor);

describe("callerFinder", () => {
  it("uses the peer and ignores the header when no proxy is trusted", () => {
    expect(callerAddress(peerAddress, "203.0.113.9", null)).toBe(peerAddress);
  });

  it("walks back the trusted number of hops", () => {
    const header = "198.51.100.1, 203.0.113.9, 10.0.0.2";
    expect(callerAddress(peerAddress, header, { hops: 1 })).toBe("10.0.0.2");
    expect(callerAddress(peerAddress, header, { hops: 2 })).toBe("203.0.113.9");
    expect(callerAddress(peerAddress, header, { hops: 9 })).toBe("198.51.100.1");
  });

  it("walks back through trusted addresses and stops at the first other one", () => {
    const trusted = { addresses: ["10.0.0.0/8", "2001:db8::/32"] };
    expect(callerAddress(peerAddress, "198.51.100.1, 203.0.113.9, 10.0.0.2", trusted)).toBe("203.0.113.9");
    expect(callerAddress("2001:db8::1", "203.0.113.9", trusted)).toBe("203.0.113.9");
    expect(callerAddress("192.0.2.1", "203.0.113.9", trusted)).toBe("192.0.2.1");
  });

  it("stops at an entry that is not an address", () => {
    expect(callerAddress(peerAddress, "203.0.113.9, unknown", { hops: 2 })).toBe(peerAddress);
    expect(callerAddress(peerAddress, "", { hops: 2 })).toBe(peerAddress);
    expect(callerAddress(peerAddress, "999.1.1.1", { hops: 1 })).toBe(peerAddress);
  });

  it("reads ports, brackets, zones and IPv4 inside IPv6", () => {
    expect(callerAddress(peerAddress, "203.0.113.9:4711", { hops: 1 })).toBe("203.0.113.9");
    expect(callerAddress(peerAddress, "[2001:DB8:0::9]:4711", { hops: 1 })).toBe("2001:db8::9");
    expect(callerAddress("::ffff:203.0.113.9", null, null)).toBe("203.0.113.9");
    expect(callerAddress("fe80::1%eth0", null, null)).toBe("fe80::1");
  });

  it("returns null without a peer", () => {
    expect(callerAddress(null, "203.0.113.9", { hops: 1 })).toBeNull();
  });
});

describe("addressBlock", () => {
  it("is the address itself for IPv4", () => {
    expect(addressBlock("203.0.113.9")).toBe("203.0.113.9");
    expect(addressBlock("::ffff:203.0.113.9")).toBe("203.0.113.9");
  });

  it("is the /64 for IPv6, in any spelling", () => {
    expect(addressBlock("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(addressBlock("2001:DB8:1:2::ffff")).toBe("2001:db8:1:2::/64");
    expect(addressBlock("::1")).toBe("0:0:0:0::/64");
    expect(addressBlock("2001:db8::")).toBe("2001:db8:0:0::/64");
  });

  it("is one block for all unknown addresses", () => {
    expect(addressBlock(null)).toBe("unknown");
    expect(addressBlock("nonsense")).toBe("unknown");
  });
});

describe("a network", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.0/24", "203.0.113.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0::7", "2001:db8::7"],
    ["2001:DB8::/32", "2001:db8::/32"],
    ["::/0", "::/0"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107/128", "203.0.113.7/32"],
    ["::ffff:203.0.113.0/120", "203.0.113.0/24"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
  ])("%s has one spelling", (text, expected) => {
    expect(plainNetwork(text)).toBe(expected);
  });

  it.each([
    ...["", "example.com", "203.0.113.7/24", "203.0.113.0/33", "203.0.113.0/024", "203.0.113.0/-1", "203.0.113.0/"],
    ...["203.0.113.0/24/8", "2001:db8::1/32", "2001:db8::/129", "fe80::1%eth0", "[::1]", "::ffff:203.0.113.0/64"],
    ...["203.0.113.7:443", "1", "203.0.113.0 /24", "::ffff:203.0.113.0/95"],
  ])("%s is none", (text) => {
    expect(plainNetwork(text)).toBeNull();
  });

  it("contains its addresses, IPv4 also when written as IPv6, and no others", () => {
    const isIn = addressTest(["203.0.113.0/24", "198.51.100.7", "2001:db8::/32"]);
    for (const address of ["203.0.113.0", "::ffff:203.0.113.255", "198.51.100.7", "2001:db8:ffff::1"]) {
      expect([address, isIn(address)]).toEqual([address, true]);
    }
    for (const address of ["203.0.112.255", "198.51.100.8", "2001:db7::1", "::cb00:7107", "", "x", null]) {
      expect([address, isIn(address)]).toEqual([address, false]);
    }
    expect(addressTest(["0.0.0.0/0"])("2001:db8::1")).toBe(false);
  });
});
