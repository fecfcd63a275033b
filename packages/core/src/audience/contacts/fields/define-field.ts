import { badRequest, command, conflict, projectIdOf, suggestions } from '../../../base/kernel/index.ts';
import { impossibleDataKey, reservedDataKeys } from '../../../base/lib/data-values.rules.ts';
import { convertFieldJob } from '../contacts.jobs.ts';
import { maxKeyLength } from '../contacts.rules.ts';
import { maxDefinitions } from './definitions.rules.ts';
import {
  type DefinitionRow,
  lockDefinitions,
  noteWhetherDefined,
  readDefinitions,
  removeDefinition,
  writeDefinition,
} from './definitions.store.ts';
import { fieldOf } from './fields.rules.ts';
import { definedField, defineFieldInput } from './fields.schema.ts';

export const defineContactField = command({
  name: 'contacts.defineField',
  summary: 'Defines the type of a custom field, and converts its stored values in the background',
  permission: 'data:write',
  risk: 'large',
  errors: ['BAD_REQUEST', 'CONFLICT'],
  input: defineFieldInput,
  output: definedField,
  async handler(ctx, { field: text, type, label }) {
    const projectId = projectIdOf(ctx);
    const { key, name } = customField(text);
    await lockDefinitions(ctx.db, projectId);
    const definitions = await readDefinitions(ctx.db, projectId);
    const before = definitions.find((each) => each.key === key);
    if (!before && type !== null && definitions.length >= maxDefinitions) {
      throw conflict(`A project has at most ${maxDefinitions} definitions`, {
        suggestion: suggestions.CONFLICT.mostDefinitions,
      });
    }
    ctx.audit({ targetType: 'contactField', targetId: key, changed: ['type', 'label'] });
    if (type === null) {
      await removeDefinition(ctx.db, projectId, key);
      await noteWhetherDefined(ctx.db, projectId);
      return undefinedField(name);
    }
    const row = await writeDefinition(ctx.db, projectId, { key, type, label });
    await noteWhetherDefined(ctx.db, projectId);
    if (row.converting)
      ctx.afterCommit(() =>
        ctx.services.workflows.signalDebounced(convertFieldJob, { definitionId: row.id }),
      );
    return presented(name, row);
  },
});

/** @throws AppError BAD_REQUEST for a standard field, and for a key that no contact can have */
function customField(text: string): { key: string; name: string } {
  const field = fieldOf(text);
  if (field.kind === 'standard' || field.key === impossibleDataKey || reservedDataKeys.has(field.key))
    throw badRequest(`${field.name} is not a custom field and has its type already`);
  if (field.key === '' || [...field.key].length > maxKeyLength || /\p{Cc}/u.test(field.key))
    throw badRequest(`The key of a field has 1 to ${maxKeyLength} characters and no control characters`);
  return field;
}

const presented = (
  field: string,
  { label, type, converting, unread, createdAt, updatedAt }: DefinitionRow,
) => ({
  field,
  label,
  type,
  converting,
  unread,
  createdAt,
  updatedAt,
});

const undefinedField = (field: string) => ({
  field,
  label: null,
  type: null,
  converting: false,
  unread: 0,
  createdAt: null,
  updatedAt: null,
});
