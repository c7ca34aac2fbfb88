// The effect of the number of PostgreSQL connections: the same loads on processes that differ only in DATABASE_POOL.
import { cases } from "./cases.mjs";
import { measure } from "./measure.mjs";
import { load } from "./servers.mjs";

const compared = ["retrieve a transaction", "list 20 by status and type", "create a transaction"];

/** A paced reader while writers want every connection. */
const besideCreates = "100 retrieves a second beside creates";

/** For each load and target name, the figures of its rounds. */
export async function measurePools(targets, { only, rounds, seconds, warmUpSeconds, connections, say }) {
  const loads = Object.fromEntries(
    compared.map((name) => [
      name,
      (target, duration) => measure(cases[name], target, { connections, seconds: duration }),
    ]),
  );
  // Half of the connections, because both loads come from one user, whose concurrent requests are limited.
  const creators = connections / 2;
  loads[besideCreates] = (target, duration) =>
    retrieveBesideCreates(target, { connections: creators, seconds: duration });
  const results = {};
  for (const [name, run] of Object.entries(loads)) {
    if (!name.includes(only)) continue;
    say(name);
    results[name] = Object.fromEntries(targets.map((target) => [target.name, []]));
    for (const target of targets) await run(target, warmUpSeconds);
    for (let round = 0; round < rounds; round++) {
      for (const target of targets) results[name][target.name].push(await run(target, seconds));
    }
  }
  return results;
}

/** The latencies are those of the retrieves; `creates` is the number of creates per second. */
async function retrieveBesideCreates(target, { connections, seconds }) {
  const [{ url }] = target.servers;
  const retrieve = cases["retrieve a transaction"].request({ ...target, url }, connections);
  const [paced, created] = await Promise.all([
    load({ targets: [retrieve], perSecond: 100, seconds }),
    measure(cases["create a transaction"], target, { connections, seconds }),
  ]);
  return { ...created, rate: paced.rate, p50: paced.p50, p99: paced.p99, creates: created.rate };
}
