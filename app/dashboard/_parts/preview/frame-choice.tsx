// A choice above a preview, such as its screen: radio buttons that look like tabs.
"use client";
import classes from "./pay-page-frame.module.css";

interface Props<Value extends string> {
  /** Of the radio buttons; different from those of other choices on the page. */
  name: string;
  /** What is chosen, for those who cannot see it. */
  label: string;
  choices: readonly { value: Value; label: string }[];
  chosen: Value;
  onChoose(value: Value): void;
}

export function FrameChoice<Value extends string>({ name, label, choices, chosen, onChoose }: Props<Value>) {
  return (
    <span role="radiogroup" aria-label={label} className={classes.screens}>
      {choices.map((choice) => (
        <label key={choice.value} className={classes.screen}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={chosen === choice.value}
            onChange={() => onChoose(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </span>
  );
}
