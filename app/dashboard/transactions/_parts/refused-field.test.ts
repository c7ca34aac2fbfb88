// Refusals in the forms of transactions: their fields and their texts.
import { TRPCClientError } from "@trpc/client";
import { describe, expect, it } from "vitest";
import messages from "@/messages/en.json";
import { createErrors } from "@/server/domains/transactions/types/call";
import { refusedField } from "./refused-field";

const refusal = (error_code: string, message = "") =>
  TRPCClientError.from({ error: { code: -32_600, message, data: { error_code, error_description: message } } });

describe("refusedField", () => {
  it("names the field that a refusal is about", () => {
    expect(refusedField(refusal("insufficient_balance"))).toBe("amount");
    expect(refusedField(refusal("currency_mismatch"))).toBe("currency");
    expect(refusedField(refusal("same_account_transfer"))).toBe("destination");
    expect(refusedField(refusal("payment_already_paid"))).toBe("request");
  });

  it("tells the two accounts of a transfer apart", () => {
    expect(refusedField(refusal("account_closed", "The account is closed."))).toBe("account");
    expect(refusedField(refusal("account_closed", "destination_account_id: the account is closed"))).toBe(
      "destination",
    );
  });

  it("names none for refusals of the whole form, and for other failures", () => {
    expect(refusedField(refusal("insufficient_permissions"))).toBeNull();
    expect(refusedField(new Error("lost connection"))).toBeNull();
  });
});

describe("the texts of refusals", () => {
  it("exist for every refusal of a new transaction, except for fields that the forms check themselves", () => {
    const codes = Object.keys(createErrors).filter((code) => code !== "invalid_request");
    expect(codes.filter((code) => !Object.hasOwn(messages.errors, code))).toEqual([]);
  });
});
