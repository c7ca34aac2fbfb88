// The scopes of API keys as people read them: by resource, each to see or to change.

interface ScopeGroup {
  resource: string;
  /** Names such as `payments:read`. */
  scopes: string[];
}

/** The scopes by their resource, in the given order. */
export function groupsOf(scopes: readonly string[]): ScopeGroup[] {
  const groups = new Map<string, string[]>();
  for (const scope of scopes) {
    const [resource = scope] = scope.split(":");
    groups.set(resource, [...(groups.get(resource) ?? []), scope]);
  }
  return [...groups].map(([resource, each]) => ({ resource, scopes: each }));
}

/** The scope as a key of the message catalog, where a dot or a colon would separate levels. */
export const textKeyOf = (scope: string): string => scope.replace(":", "_");
