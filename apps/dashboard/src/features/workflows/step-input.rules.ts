import type { StepType } from '../../lib/api.ts';
import type { Failure } from '../../lib/failure.ts';
import { given } from '../../lib/given.ts';
import type { FormValues } from '../../ui/form.tsx';
import { needsValue } from './condition-words.ts';
import { durationUnits } from './duration.rules.ts';

/** What the form of a step says, as the API takes it. The fields have the API's names, so that its messages find them. */
export interface StepInput {
  type: Exclude<StepType, 'TRIGGER'>;
  name: string;
  config: Record<string, unknown>;
  templateId?: string | null;
}

/** What cannot even be sent; the message belongs to one field. */
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

/** @throws UnreadableField where a text is not what its field holds */
export function stepInputOf(type: StepInput['type'], values: FormValues): StepInput {
  const name = values.name ?? '';
  if (type !== 'SEND_EMAIL') return { type, name, config: configOf(type, values) };
  return { type, name, config: configOf(type, values), templateId: given(values.templateId) ?? null };
}

function configOf(type: StepInput['type'], values: FormValues): Record<string, unknown> {
  switch (type) {
    case 'SEND_EMAIL':
      return values['config.recipient.type'] === 'CUSTOM'
        ? { recipient: { type: 'CUSTOM', customEmail: values['config.recipient.customEmail'] ?? '' } }
        : { recipient: { type: 'CONTACT' } };
    case 'DELAY':
      return { amount: Number(values['config.amount']), unit: values['config.unit'] };
    case 'WAIT_FOR_EVENT':
      return { eventName: values['config.eventName'] ?? '', ...timeoutOf(values) };
    case 'CONDITION':
      return conditionOf(values);
    case 'WEBHOOK':
      return webhookOf(values);
    case 'UPDATE_CONTACT':
      return updateOf(values);
    case 'EXIT': {
      const reason = given(values['config.reason']);
      return reason === undefined ? {} : { reason };
    }
  }
}

function timeoutOf(values: FormValues): { timeout?: number } {
  const amount = given(values['config.timeout']);
  if (amount === undefined) return {};
  const unit = values.timeoutUnit as keyof typeof durationUnits;
  return { timeout: Number(amount) * (durationUnits[unit] ?? 1) };
}

function conditionOf(values: FormValues): Record<string, unknown> {
  const field = values['config.field'] ?? '';
  if (values.mode !== 'multi') return { field, ...comparisonOf(values, 'config') };
  const branches = indexesOf(values, 'config.branches', 'id').map((index) => ({
    id: values[`config.branches.${index}.id`],
    name: values[`config.branches.${index}.name`] ?? '',
    ...comparisonOf(values, `config.branches.${index}`),
  }));
  return { mode: 'multi', field, branches };
}

function comparisonOf(values: FormValues, path: string) {
  const operator = values[`${path}.operator`] ?? '';
  if (!needsValue(operator)) return { operator };
  return {
    operator,
    value: typedValue(values[`${path}.type`], values[`${path}.value`] ?? '', `${path}.value`),
  };
}

export type ValueType = 'text' | 'number' | 'boolean' | 'nothing';

/** The type of a stored value, for the control that shows it. */
export function typeOfValue(value: unknown): ValueType {
  if (value === null) return 'nothing';
  if (typeof value === 'number' || typeof value === 'boolean')
    return value === true || value === false ? 'boolean' : 'number';
  return 'text';
}

/** A stored value as its control holds it. */
export const valueText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function typedValue(type: string | undefined, text: string, field: string): string | number | boolean | null {
  if (type === 'nothing') return null;
  if (type === 'boolean') return text === 'true';
  if (type !== 'number') return text;
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new UnreadableField(field, 'Must be a number');
  return number;
}

/** The rows of a list of fields, in their order. */
const indexesOf = (values: FormValues, path: string, key: string): number[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(`${path}.`) && name.endsWith(`.${key}`))
    .map((name) => Number(name.slice(path.length + 1, -key.length - 1)));

function webhookOf(values: FormValues): Record<string, unknown> {
  const method = values['config.method'] ?? 'POST';
  const headers = headersOf(values['config.headers'] ?? '');
  const body = given(values['config.body']);
  return {
    url: values['config.url'] ?? '',
    method,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(method !== 'GET' && body !== undefined && { body: jsonOf(body, 'config.body') }),
  };
}

function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1)
        throw new UnreadableField(
          'config.headers',
          `“${line.trim()}” is not a header. Write a name, a colon and a value`,
        );
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

function jsonOf(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableField(
      field,
      error instanceof Error ? `Invalid JSON: ${error.message}` : 'Invalid JSON',
    );
  }
}

function updateOf(values: FormValues): Record<string, unknown> {
  // A row in which nothing is written says nothing.
  const written = indexesOf(values, 'row', 'key').filter(
    (index) => given(values[`row.${index}.key`]) ?? given(values[`row.${index}.value`]),
  );
  const rows = written.map((index) => {
    const type = values[`row.${index}.type`];
    const value =
      type === 'removed' ? null : typedValue(type, values[`row.${index}.value`] ?? '', `row.${index}.value`);
    return [values[`row.${index}.key`] ?? '', value] as const;
  });
  return {
    ...(rows.length > 0 && { data: Object.fromEntries(rows) }),
    subscriptionAction: values['config.subscriptionAction'] ?? 'none',
  };
}

/** The keys of the rows of an update, in their order. */
export const rowKeys = (values: FormValues): string[] =>
  indexesOf(values, 'row', 'key').map((index) => values[`row.${index}.key`] ?? '');

/** The API names the rows of an update by their keys, the form by their numbers. */
export function placeRowFailures(failure: Failure, keys: readonly string[]): Failure {
  const fields = Object.entries(failure.fields).map(([field, text]) => {
    const index = keys.findIndex((key) => field === `config.data.${key}`);
    return [index < 0 ? field : `row.${index}.${keys[index] === '' ? 'key' : 'value'}`, text];
  });
  return { ...failure, fields: Object.fromEntries(fields) };
}
