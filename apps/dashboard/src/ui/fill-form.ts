/** How often it looks for fields that appear only after another one was filled in, such as those of a type. */
const rounds = 6;
const roundMs = 60;

/** Fills in the fields of a form by name, as if the values were typed, so that controlled fields follow. */
export function fillForm(form: HTMLFormElement, values: Readonly<Record<string, string>>, round = 1): void {
  for (const field of form.elements) fill(field, values);
  if (round < rounds) setTimeout(() => form.isConnected && fillForm(form, values, round + 1), roundMs);
}

function fill(field: Element, values: Readonly<Record<string, string>>): void {
  if (field instanceof HTMLInputElement && field.type === 'checkbox') {
    if (field.checked !== field.name in values) field.click();
    return;
  }
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const value = values[field.name];
  if (value === undefined || field.value === value || field.type === 'hidden') return;
  // React replaces the setter of the element; that of its class reports the change to React.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
