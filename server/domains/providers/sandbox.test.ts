// The sandbox provider keeps its guarantees: one charge per key, no real cards, nothing in live mode.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandboxOperations } from "@/db/tables";
import { goodCard } from "@/test/payer";
import { openWorld, type World } from "@/test/world";
import { passesLuhn, readCard } from "./card-form";
import { inTime } from "./in-time";
import { cardProvider, providerFor } from "./registry";
import { type Sandbox, sandboxProvider } from "./sandbox";
import { lostAnswerCode, noAnswerCode, troubledCard } from "./test-cards";

let world: World;
let sandbox: Sandbox;
beforeAll(async () => {
  world = await openWorld();
  sandbox = sandboxProvider(world.runtime, false);
});
afterAll(() => world.close());

const charge = (captureMethod: "automatic" | "manual" = "automatic", details: Record<string, string> = goodCard) => ({
  idempotencyKey: world.id("txn"),
  amount: 1250,
  currency: "EUR",
  captureMethod,
  details,
});

const refund = (chargeReference: string | null, amount: number, currency = "EUR") =>
  sandbox.refund({ idempotencyKey: world.id("txn"), chargeReference: chargeReference ?? "", amount, currency });

describe("live mode", () => {
  it("has no sandbox provider", () => {
    expect(() => sandboxProvider(world.runtime, true)).toThrow("live mode");
    expect(() => providerFor(world.runtime, "sandbox", true)).toThrow("live mode");
    expect(cardProvider(true)).toBeNull();
    expect(() => providerFor(world.runtime, "nobody", false)).toThrow("no payment provider");
  });
});

describe("charges", () => {
  it("are made once per key, also when calls race", async () => {
    const request = charge();
    const results = await Promise.all(Array.from({ length: 10 }, () => sandbox.start(request)));
    expect(new Set(results.map((result) => result.reference)).size).toBe(1);
    expect(await sandbox.lookup("charge", request.idempotencyKey)).toEqual(results[0]);
    expect(results[0]).toMatchObject({ status: "succeeded", amountCaptured: 1250, failure: null });
  });

  it("can be captured in part or released, once", async () => {
    const held = await sandbox.start(charge("manual"));
    expect(held).toMatchObject({ status: "authorized", amountCaptured: 0 });
    await expect(sandbox.capture(held.reference ?? "", 1251)).rejects.toThrow("more than was authorized");
    expect(await sandbox.capture(held.reference ?? "", 1000)).toMatchObject({
      status: "succeeded",
      amountCaptured: 1000,
    });
    expect(await sandbox.cancel(held.reference ?? "", "authorized")).toMatchObject({
      status: "succeeded",
      amountCaptured: 1000,
    });
    const other = await sandbox.start(charge("manual"));
    expect(await sandbox.cancel(other.reference ?? "", "authorized")).toMatchObject({
      status: "canceled",
      amountCaptured: 0,
    });
    expect(await sandbox.capture(other.reference ?? "", 1)).toMatchObject({ status: "canceled", amountCaptured: 0 });
    await expect(sandbox.cancel("unknown", "authorized")).rejects.toThrow("has no charge");
  });

  it("with any other card are rejected, and nothing is stored", async () => {
    const before = await world.runtime.db.read.$count(sandboxOperations);
    for (const card_number of ["4111111111111111", "4242424242424241", ""]) {
      await expect(sandbox.start(charge("automatic", { ...goodCard, card_number }))).rejects.toThrow(
        /^The sandbox accepts/,
      );
    }
    expect(await world.runtime.db.read.$count(sandboxOperations)).toBe(before);
  });

  it("can be looked up after their answer was lost", async () => {
    const request = charge("automatic", { ...goodCard, card_number: troubledCard, security_code: lostAnswerCode });
    await expect(sandbox.start(request)).rejects.toThrow("connection");
    expect(await sandbox.lookup("charge", request.idempotencyKey)).toMatchObject({ status: "succeeded" });
  });

  it("time out when the provider never answers", async () => {
    const request = charge("automatic", { ...goodCard, card_number: troubledCard, security_code: noAnswerCode });
    await expect(inTime((signal) => sandbox.start(request, signal), 20)).rejects.toThrow("did not answer in time");
    expect(await sandbox.lookup("charge", request.idempotencyKey)).toBeNull();
  });
});

describe("refunds", () => {
  it("never exceed what was captured, also when they race", async () => {
    const { reference } = await sandbox.start(charge());
    const results = await Promise.all(Array.from({ length: 5 }, () => refund(reference, 400)));
    expect(results.filter((result) => result.status === "succeeded")).toHaveLength(3);
    expect(await refund(reference, 50)).toMatchObject({ status: "succeeded", failure: null });
    expect(await refund(reference, 1)).toMatchObject({ status: "failed", failure: { code: "refund_too_large" } });
  });

  it("are made once per key, and only of charges that exist", async () => {
    const { reference } = await sandbox.start(charge());
    const request = {
      idempotencyKey: world.id("txn"),
      chargeReference: reference ?? "",
      amount: 1250,
      currency: "EUR",
    };
    const [first, second] = [await sandbox.refund(request), await sandbox.refund(request)];
    expect(second).toEqual(first);
    expect(await sandbox.lookup("refund", request.idempotencyKey)).toEqual(first);
    for (const failed of [await refund("unknown", 1), await refund(reference, 1, "USD")]) {
      expect(failed).toMatchObject({ status: "failed", failure: { code: "charge_not_found" } });
    }
  });
});

describe("card numbers", () => {
  it.each(["4242424242424242", "378282246310005", "6200000000000005", "3056930009020004"])(
    "%s passes the Luhn check",
    (number) => expect(passesLuhn(number)).toBe(true),
  );
  it.each(["4242424242424241", "", "0", "abcdefghijklmnop", "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢"])("%s does not", (number) =>
    expect(passesLuhn(number)).toBe(false),
  );

  it("are valid until their month is over in every time zone", () => {
    const end = Date.UTC(2026, 11) + 12 * 3_600_000;
    const typed = { ...goodCard, expiry: "11/26" };
    expect(readCard(typed, end - 1)).toHaveProperty("checked");
    expect(readCard(typed, end)).toEqual({ problems: ["expiry_past"] });
  });
});
