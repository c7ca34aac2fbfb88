// Who pays or is paid, and below it what for, in one cell of a list.
import { breakable } from "@/app/_ui/detail-list";
import classes from "./party.module.css";

interface Props {
  who: string;
  what: string;
  /** Whether the cell names the record. */
  isTitle?: boolean;
}

/** On narrow screens a long name is cut, so that what is below it can be read. */
export const Party = ({ who, what, isTitle }: Props) => (
  <span className={classes.party} data-title={isTitle} title={`${who}\n${what}`}>
    <span>{who}</span>
    <span className={classes.what}>{breakable(what)}</span>
  </span>
);
