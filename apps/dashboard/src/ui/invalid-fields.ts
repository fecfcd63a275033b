/** A control that the browser checks: a value is required, or must be a number or an address. */
type Checked = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isChecked = (element: Element): element is Checked =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement;

/** The controls of a form that do not hold what their attributes ask for, in their order. */
export const invalidControls = (form: HTMLFormElement): Checked[] =>
  [...form.elements].filter(isChecked).filter((control) => !control.validity.valid);

/** What is wrong with it, to be shown at the field. */
export function problemOf({ validity, type, validationMessage }: Checked): string {
  if (validity.valueMissing) return 'Required';
  if (validity.typeMismatch && type === 'email') return 'Enter an email address such as ada@example.com';
  if (validity.badInput && type === 'number') return 'Enter a number';
  return validationMessage;
}
