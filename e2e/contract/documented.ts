// What the tests of the fourteen core operations share: calls that must be refused or answered.
import { expect } from "playwright/test";
import type { Api, ApiError } from "../api";
import { expectRecord, instantPattern, recordFields } from "./records";

type Refused = [status: number, code: string];
export type Body = Record<string, unknown>;

export const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** Sends a request that must fail; resolves with the error's description. */
export async function refused(api: Api, [status, code]: Refused, ...call: Parameters<Api>): Promise<string> {
  const reply = await api<ApiError>(...call);
  expect({ status: reply.status, code: reply.body.error_code }).toEqual({ status, code });
  expectRecord(reply.body, recordFields.error);
  expect(reply.body.error_description).not.toBe("");
  return reply.body.error_description;
}

/** Sends a request that must succeed with 200; resolves with the body. */
export async function answered<T = Body>(api: Api, ...call: Parameters<Api>): Promise<T> {
  const reply = await api<T>(...call);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
  return reply.body;
}

/** Expects an instant near this one (epoch ms). */
export const near = (instant: unknown, expected: number, tolerance = minuteMs) => {
  expect(instant).toMatch(instantPattern);
  expect(Math.abs(Date.parse(String(instant)) - expected)).toBeLessThan(tolerance);
};
