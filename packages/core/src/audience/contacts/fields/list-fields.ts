import { emptyObject, projectIdOf, query } from '../../../base/kernel/index.ts';
import { withSimilar } from './fields.rules.ts';
import { fieldList } from './fields.schema.ts';
import { readFields } from './fields.store.ts';

export const listContactFields = query({
  name: 'contacts.listFields',
  summary: 'Lists standard and custom fields with their types and coverage',
  permission: 'data:read',
  input: emptyObject,
  output: fieldList,
  async handler(ctx) {
    const fields = withSimilar(await readFields(ctx.db, projectIdOf(ctx)));
    return { fields, count: fields.length };
  },
});
