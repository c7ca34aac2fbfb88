// The columns of the dashboard's export.
import { expect, it } from "vitest";
import { exportColumnsFor, listShape } from "./list-shape";

it("has no amounts in minor units, which a spreadsheet would add up as they are", () => {
  const columns = exportColumnsFor(listShape(true).columns);
  expect(columns.filter((name) => /amount/.test(name))).toEqual(["amount_decimal"]);
  expect(columns).toEqual(expect.arrayContaining(["fee_decimal", "net_decimal", "refunded_decimal", "currency"]));
});
