// The product's logo and name, the same on every page.
import classes from "./name-mark.module.css";

/** `name` is next to the logo; screen readers skip the logo itself. */
export function NameMark({ name }: { name: string }) {
  return (
    <span className={classes.mark}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" className={classes.ground} />
        <g className={classes.strokes}>
          <path d="M21.4 10.2a8 8 0 1 0 2.3 7.4" />
          <path d="m12.8 15.4 3.6 3.6 8.6-9" />
        </g>
      </svg>
      <span>{name}</span>
    </span>
  );
}
