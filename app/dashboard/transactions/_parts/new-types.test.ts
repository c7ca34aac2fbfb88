// Which types of transactions the page for a new one offers to whom.
import { describe, expect, it } from "vitest";
import { newTypesFor } from "./new-types";

type User = Parameters<typeof newTypesFor>[0];

const userWith = (role: User["role"], organization = { mode: "sandbox", members_record_payments: false }): User =>
  ({ user_id: "usr_1", role, organization }) as User;

describe("newTypesFor", () => {
  it("offers what the access table admits, a payment first", () => {
    expect(newTypesFor(userWith("admin"))).toEqual(["payment", "transfer", "credit", "adjustment"]);
    expect(newTypesFor(userWith("operator"))).toEqual(["payment", "transfer", "credit", "adjustment"]);
    expect(newTypesFor(userWith("member"))).toEqual(["payment", "transfer"]);
    expect(newTypesFor(userWith("viewer"))).toEqual([]);
  });

  it("begins with a transfer for members who may not record payments", () => {
    const live = { mode: "live", members_record_payments: false } as const;
    expect(newTypesFor(userWith("member", live))).toEqual(["transfer"]);
    expect(newTypesFor(userWith("member", { ...live, members_record_payments: true }))[0]).toBe("payment");
  });
});
