import type { Db } from '../../../base/db/index.ts';
import { emptyObject, projectIdOf, query } from '../../../base/kernel/index.ts';
import { type DefinitionRow, readDefinitions } from './definitions.store.ts';
import { type FieldSummary, fieldKey, typesOfDefined, withSimilar } from './fields.rules.ts';
import { fieldList } from './fields.schema.ts';
import { readFields } from './fields.store.ts';

export const listContactFields = query({
  name: 'contacts.listFields',
  summary: 'Lists standard and custom fields with their types, definitions and coverage',
  permission: 'data:read',
  input: emptyObject,
  output: fieldList,
  async handler(ctx) {
    const fields = withSimilar(await fieldsOf(ctx.db, projectIdOf(ctx)));
    return { fields, count: fields.length };
  },
});

async function fieldsOf(db: Db, projectId: string) {
  const [found, definitions] = await Promise.all([readFields(db, projectId), readDefinitions(db, projectId)]);
  return withDefinitions(found, definitions);
}

/** The percentage of contacts that have a field, by its key, as the list has it. */
export const coverageOfFields = async (db: Db, projectId: string): Promise<Map<string, number>> =>
  new Map((await fieldsOf(db, projectId)).map(({ field, coverage }) => [fieldKey(field), coverage]));

/** Fields that are defined and that no contact has are among them. */
function withDefinitions(found: readonly FieldSummary[], definitions: readonly DefinitionRow[]) {
  const defined = new Map(definitions.map((each) => [`data.${each.key}`, each]));
  const names = new Set(found.map(({ field }) => field));
  const unused = [...defined].flatMap(([field, { type }]) =>
    names.has(field) ? [] : [{ field, type: typesOfDefined[type], coverage: 0 }],
  );
  return [...found, ...unused]
    .toSorted((a, b) => (a.field < b.field ? -1 : 1))
    .map((summary) => {
      const definition = defined.get(summary.field);
      if (!definition) return { ...summary, label: null, definition: null };
      const { label, type, converting, unread } = definition;
      return { ...summary, label, definition: { type, converting, unread } };
    });
}
