// Fields beside each other are at the same height, so what explains them is below: inputWrapperOrder={helpBelow}
export const helpBelow: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];
