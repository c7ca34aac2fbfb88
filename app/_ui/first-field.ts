// The first field of a page that is a form: <TextInput {...firstField(field("description"))} />
import type { FocusEvent } from "react";

interface FieldProps {
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void;
}

/** Adds to a field's props that it has the focus on arrival, and that leaving it empty shows no problem yet. */
export function firstField<Props extends FieldProps>(props: Props) {
  const onBlur = (event: FocusEvent<HTMLInputElement>) => {
    if (event.currentTarget.value !== "") props.onBlur?.(event);
  };
  return { ...props, onBlur, autoFocus: true };
}
