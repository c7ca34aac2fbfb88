// Steps: work of a domain that a domain above it does, so that imports go one way.

/** What was supplied. Throws, naming the step, as long as nothing was. */
export interface Step<T> {
  (): T;
  supply(given: T): void;
}

/** A step that has yet to be supplied; server/domains/steps.ts says by whom. */
export function step<T>(name: string): Step<T> {
  let supplied: { given: T } | null = null;
  const use = () => {
    if (supplied === null) throw new Error(`Nothing supplies the step "${name}". Import server/domains/steps.ts.`);
    return supplied.given;
  };
  const supply = (given: T) => {
    supplied = { given };
  };
  return Object.assign(use, { supply });
}
