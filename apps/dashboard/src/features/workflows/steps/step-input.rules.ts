import type { Failure } from '../../../lib/failure.ts';
import type { FormValues } from '../../../ui/form.tsx';

/** Input that cannot be sent. The message belongs to one field. */
export class UnreadableField extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

export const unreadable = ({ field, message }: UnreadableField): Failure => ({
  message: 'Invalid step',
  code: 'VALIDATION_ERROR',
  suggestion: null,
  requestId: null,
  fields: { [field]: message },
  position: null,
});

/** The field's text if it is one of `words`; otherwise the first of them. */
export const oneOf = <Word extends string>(
  words: readonly [Word, ...Word[]],
  text: string | undefined,
): Word => words.find((word) => word === text) ?? words[0];

export type ValueType = 'text' | 'number' | 'boolean' | 'nothing';

/** The type of a stored value, for the control that shows it. */
export function typeOfValue(value: unknown): ValueType {
  if (value === null) return 'nothing';
  if (typeof value === 'number' || typeof value === 'boolean')
    return value === true || value === false ? 'boolean' : 'number';
  return 'text';
}

/** A stored value as the text of its control. */
export const valueText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** The text as a value of the given type. @throws UnreadableField */
export function typedValue(
  type: string | undefined,
  text: string,
  field: string,
): string | number | boolean | null {
  if (type === 'nothing') return null;
  if (type === 'boolean') return text === 'true';
  if (type !== 'number') return text;
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new UnreadableField(field, 'Must be a number');
  return number;
}

/** The indexes of the rows in a list of fields, in their order. */
export const indexesOf = (values: FormValues, path: string, key: string): number[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(`${path}.`) && name.endsWith(`.${key}`))
    .map((name) => Number(name.slice(path.length + 1, -key.length - 1)));

/** The keys of the rows of an update, in their order. */
export const rowKeys = (values: FormValues): string[] =>
  indexesOf(values, 'row', 'key').map((index) => values[`row.${index}.key`] ?? '');

/** Maps the API's errors to the rows of the form: the API names rows by key, the form by index. */
export function placeRowFailures(failure: Failure, keys: readonly string[]): Failure {
  const fields = Object.entries(failure.fields).map(([field, text]) => {
    const index = keys.findIndex((key) => field === `config.data.${key}`);
    return [index < 0 ? field : `row.${index}.${keys[index] === '' ? 'key' : 'value'}`, text];
  });
  return { ...failure, fields: Object.fromEntries(fields) };
}
