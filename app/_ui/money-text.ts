// Amounts as people type them, for the dashboard's fields: the pay page reads them in the same way.
import { smallestPart, smallestPartOf } from "@/server/kit/currency";
import {
  decimalsOf,
  exampleMoney,
  formatMoney,
  isCurrency,
  largestMoney,
  moneyText,
  parseMoney,
  understoodMoney,
} from "@/server/kit/money-text";

export {
  decimalsOf,
  exampleMoney,
  formatMoney,
  isCurrency,
  largestMoney,
  moneyText,
  parseMoney,
  smallestPart,
  smallestPartOf,
  understoodMoney,
};
