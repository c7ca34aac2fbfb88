// Finds the operation for a method and a path.
import type { Operation } from "@/server/kit/operation";
import { type QueryFields, queryFieldsOf } from "@/server/kit/query-fields";

export interface Route {
  readonly operation: Operation;
  /** The names of the path parameters. */
  readonly parameters: readonly string[];
  readonly queryFields: QueryFields;
}

type Match =
  | { found: true; route: Route; values: Record<string, string> }
  | { found: false; allowed: readonly string[] };

interface Entry {
  pattern: RegExp;
  methods: Map<string, Route>;
}

/** The first two segments of a path, which have no parameters. */
const areaOf = (path: string): string => path.split("/", 3).join("/");

/** The REST paths of all operations. Paths without parameters take one look-up, others few patterns. */
export class RouteTable {
  private readonly exact = new Map<string, Entry>();
  private readonly patterns = new Map<string, Entry[]>();

  constructor(operations: Record<string, Record<string, Operation>>) {
    for (const verbs of Object.values(operations)) {
      for (const operation of Object.values(verbs)) this.add(operation);
    }
  }

  private add(operation: Operation): void {
    const { rest } = operation;
    if (!rest) return;
    const parameters = [...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
    const entry = this.entryOf(rest.path, parameters.length > 0);
    entry.methods.set(rest.method, { operation, parameters, queryFields: queryFieldsOf(operation.input) });
  }

  private entryOf(path: string, hasParameters: boolean): Entry {
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "([^/]+)")}$`);
    const area = this.patterns.get(areaOf(path)) ?? [];
    const known = hasParameters ? area.find((entry) => entry.pattern.source === pattern.source) : this.exact.get(path);
    if (known) return known;
    const entry: Entry = { pattern, methods: new Map() };
    if (hasParameters) this.patterns.set(areaOf(path), [...area, entry]);
    else this.exact.set(path, entry);
    return entry;
  }

  /** The route, or the methods that the path has (none if it is unknown). HEAD is answered like GET. */
  find(method: string, path: string): Match {
    const entry = this.exact.get(path) ?? this.patterns.get(areaOf(path))?.find(({ pattern }) => pattern.test(path));
    if (!entry) return { found: false, allowed: [] };
    const route = entry.methods.get(method === "HEAD" ? "GET" : method);
    if (!route) {
      const allowed = [...entry.methods.keys()];
      return { found: false, allowed: allowed.includes("GET") ? [...allowed, "HEAD"] : allowed };
    }
    const [, ...values] = entry.pattern.exec(path) ?? [];
    return {
      found: true,
      route,
      values: Object.fromEntries(route.parameters.map((name, i) => [name, decodeSegment(values[i] ?? "")])),
    };
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
