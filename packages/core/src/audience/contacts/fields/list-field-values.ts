import { projectIdOf, query } from '../../../base/kernel/index.ts';
import type { Primitive } from '../contacts.rules.ts';
import { fieldOf } from './fields.rules.ts';
import { fieldValues, fieldValuesInput } from './fields.schema.ts';
import { readFieldValues } from './fields.store.ts';

export const listContactFieldValues = query({
  name: 'contacts.listFieldValues',
  summary: 'Lists distinct values of a custom field',
  permission: 'data:read',
  input: fieldValuesInput,
  output: fieldValues,
  async handler(ctx, { field: text, limit }) {
    const field = fieldOf(text);
    const values =
      field.kind === 'custom'
        ? await readFieldValues(ctx.db, projectIdOf(ctx), field.key, limit)
        : standardValues(field.name).slice(0, limit);
    return { field: field.name, values, count: values.length, limit };
  },
});

/** `subscribed` is the only standard field with repeating values. */
const standardValues = (name: string): Primitive[] => (name === 'subscribed' ? [false, true] : []);
