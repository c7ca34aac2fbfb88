// Steps: work that a lower domain needs and a higher domain supplies, so that imports go one way.

/** Returns the supplied implementation. Throws until one has been supplied. */
interface Step<T> {
  (): T;
  supply(given: T): void;
}

/** Declares a step. server/domains/steps.ts supplies it. */
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
