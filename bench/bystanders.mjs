// How logins affect others: the latency of retrieves, alone and while passwords are verified.
import { cases, login } from "./cases.mjs";
import { load } from "./servers.mjs";

const shapes = {
  "200 retrieves a second": { perSecond: 200 },
  "retrieves on 50 connections": { connections: 50 },
};

/** For each shape and target: p99 of retrieves without and with logins on 50 connections, and the rate of logins. */
export async function measureBystanders({ baseline, products: [product] }, { rounds, seconds }) {
  const figures = {};
  for (const [name, shape] of Object.entries(shapes)) {
    figures[name] = { baseline: [], product: [] };
    for (let round = 0; round < rounds; round++) {
      for (const target of [baseline, product]) figures[name][target.name].push(await measure(target, shape, seconds));
    }
  }
  return figures;
}

async function measure(target, shape, seconds) {
  const [{ url }] = target.servers;
  const { request } = cases["retrieve a transaction"];
  const retrieves = { ...shape, seconds, targets: [request({ ...target, url }, 50)] };
  const logins = { connections: 50, seconds, targets: [login({ ...target, url }, 50)] };
  const alone = await load(retrieves);
  const [beside, signedIn] = await Promise.all([load(retrieves), load(logins)]);
  return { alone: alone.p99, beside: beside.p99, times: beside.p99 / alone.p99, logins: signedIn.rate };
}
