// The caller's IP address behind trusted proxies, and the address block that limits count by.
import { BlockList, isIP } from "node:net";
import { limits } from "@/server/kit/limits";
import type { TrustedProxies } from "@/server/process/env";
import { isOwnServer } from "@/server/process/lifecycle";

/** Passes the caller's address to pages and their handlers. The server overwrites the caller's own header. */
export const callerAddressHeader = "x-caller-address";

/** The caller's address as our own server set it; null under another host, where callers could set the header. */
export const namedCaller = (headers: { get(name: string): string | null }): string | null =>
  isOwnServer() ? headers.get(callerAddressHeader) : null;

/** Finds the caller's address from the connection's peer and `X-Forwarded-For`; null if unknown. */
type CallerFinder = (peerAddress: string | null, forwardedFor: string | null) => string | null;

const slot = Symbol.for("quittance.proxy-seen");
/** When `X-Forwarded-For` last arrived, in `performance.now()`. Shared between our bundle and Next's. */
const shared = globalThis as typeof globalThis & { [slot]?: number };

/** Whether this process has received `X-Forwarded-For` in the last `withinMs`: then there is a proxy in front. */
export const hasSeenProxy = (withinMs = Number.POSITIVE_INFINITY): boolean =>
  shared[slot] !== undefined && performance.now() - shared[slot] <= withinMs;

/**
 * Creates a finder that follows `X-Forwarded-For` (comma-separated, nearest last) only as far as the proxies are
 * trusted (ASVS 4.1.3). It stops at an entry that is not an address. `onUntrusted` is called once if the header arrives
 * although no proxy is trusted.
 */
export function callerFinder(trusted: TrustedProxies, onUntrusted: () => void = () => {}): CallerFinder {
  const isTrusted = trustTest(trusted);
  let hasWarned = trusted !== null;
  return (peerAddress, forwardedFor) => {
    if (forwardedFor !== null) shared[slot] = performance.now();
    if (forwardedFor !== null && !hasWarned) {
      hasWarned = true;
      onUntrusted();
    }
    let caller = peerAddress === null ? null : plainAddress(peerAddress);
    if (caller === null || forwardedFor === null) return caller;
    const hops = forwardedFor.split(",").slice(-limits.forwardedHops).reverse();
    for (const [index, hop] of hops.entries()) {
      const before: string | null = isTrusted(caller, index) ? plainAddress(hop.trim()) : null;
      if (before === null) return caller;
      caller = before;
    }
    return caller;
  };
}

/** Returns a function that tells whether a connection's peer is a trusted proxy. */
export function proxyTest(trusted: TrustedProxies): (address: string) => boolean {
  const isTrusted = trustTest(trusted);
  return (address) => isTrusted(plainAddress(address) ?? "", 0);
}

/**
 * Returns a function that tells whether the proxy at `address`, `index` hops before us, is trusted to name the hop
 * before it.
 */
function trustTest(trusted: TrustedProxies): (address: string, index: number) => boolean {
  if (trusted === null) return () => false;
  if ("hops" in trusted) return (_address, index) => index < trusted.hops;
  return addressTest(trusted.addresses);
}

/** Returns a function that tells whether an address is one of these or in one of these networks. */
export function addressTest(entries: readonly string[]): (address: string | null) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (given) => {
    const address = given === null ? null : plainAddress(given);
    return address !== null && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  };
}

/** The bits in front of an IPv4 address that is written as IPv6 (RFC 4291 section 2.5.5.2). */
const mappedBits = 96;

/**
 * The shortest spelling of an address or a network in CIDR notation (RFC 4632); IPv4 inside IPv6 as IPv4. Null if the
 * text is neither, or an address within its network rather than the network itself.
 */
export function plainNetwork(text: string): string | null {
  const [given = "", bits, ...rest] = text.split("/");
  const address = isIP(given) === 0 ? null : plainAddress(given);
  if (address === null || given.includes("%") || rest.length > 0) return null;
  if (bits === undefined) return address;
  if (!/^(0|[1-9]\d{0,2})$/.test(bits)) return null;
  const isMapped = isIP(given) === 6 && isIP(address) === 4;
  const length = Number(bits) - (isMapped ? mappedBits : 0);
  const width = isIP(address) === 4 ? 32 : 128;
  if (length < 0 || length > width) return null;
  const isNetwork = bitsOf(address)
    .slice(length)
    .every((bit) => bit === "0");
  return isNetwork ? `${address}/${length}` : null;
}

/** The bits of a valid address, most significant first. */
function bitsOf(address: string): string[] {
  const parts = isIP(address) === 4 ? address.split(".").map(Number) : expand(address);
  const width = isIP(address) === 4 ? 8 : 16;
  return parts.flatMap((part) => [...part.toString(2).padStart(width, "0")]);
}

/** The shortest spelling, without port, brackets or zone; IPv4 inside IPv6 as IPv4. Null if it is not an address. */
function plainAddress(text: string): string | null {
  if (isIP(text) === 4) return text;
  const bare = text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/%.*$/, "");
  const address = /^\d+\.\d+\.\d+\.\d+:\d+$/.test(bare) ? bare.slice(0, bare.indexOf(":")) : bare;
  if (isIP(address) === 4) return address;
  if (isIP(address) !== 6) return null;
  const groups = expand(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [groups[6] ?? 0, groups[7] ?? 0].flatMap((group) => [group >> 8, group & 255]).join(".");
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** The block that limits count by: an IPv4 address, the /64 of an IPv6 address, or "unknown" for none. */
export function addressBlock(address: string | null): string {
  const plain = address === null ? null : plainAddress(address);
  if (plain === null) return "unknown";
  if (isIP(plain) === 4) return plain;
  const network = expand(plain).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}

/** The /48 of an IPv6 address, which one customer of a provider may own; null for any other address. */
export function networkOf(address: string | null): string | null {
  const plain = address === null ? null : plainAddress(address);
  if (plain === null || isIP(plain) === 4) return null;
  const network = expand(plain).slice(0, 3);
  return `${network.map((group) => group.toString(16)).join(":")}::/48`;
}

/** The neighborhood of an address: the /24 of an IPv4 address, the /48 of an IPv6 address, or "unknown" for none. */
export function neighborhoodOf(address: string | null): string {
  const block = addressBlock(address);
  if (isIP(block) === 4) return `${block.split(".").slice(0, 3).join(".")}.0/24`;
  return networkOf(address) ?? block;
}

/** The eight 16-bit groups of a valid IPv6 address. */
function expand(address: string): number[] {
  // The URL parser normalizes the spelling: lower case, no leading zeros, a dotted tail as two groups.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
