// The script that groups the digits of a card as they are typed. The form works the same without it.

/**
 * Writes "4242 4242 4242 4242", "3782 822463 10005" and "12 / 30" while digits are added at the end. It leaves alone
 * what is deleted, changed in the middle, still being composed, or not written with ASCII digits.
 */
export const cardScript = `
const group = (id, write) => {
  const field = document.getElementById(id);
  field.addEventListener("input", ({ inputType, isComposing }) => {
    const { value, selectionStart } = field;
    if (isComposing || selectionStart < value.length || /^delete/.test(inputType)) return;
    const text = /[^\\d\\s/-]/.test(value) ? value : write(value);
    if (text !== value) field.value = text;
  });
};
group("card_number", (value) => {
  const digits = value.replace(/\\D/g, "");
  if (!/^3[47]/.test(digits)) return digits.replace(/(\\d{4})(?=\\d)/g, "$1 ");
  return digits.replace(/^(\\d{4})(\\d)/, "$1 $2").replace(/^(.{11})(\\d)/, "$1 $2");
});
group("expiry", (value) => value.replace(/^(0[1-9]|1[0-2])\\D*(\\d{0,4})$/, "$1 / $2"));
`;
