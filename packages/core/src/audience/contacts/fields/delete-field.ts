import type { Db } from '../../../base/db/index.ts';
import {
  badRequest,
  type Context,
  command,
  conflict,
  projectIdOf,
  suggestions,
} from '../../../base/kernel/index.ts';
import { findReferences, hasUnreadTexts } from '../../../base/references/index.ts';
import { noteWhetherDefined, removeDefinition } from './definitions.store.ts';
import { fieldOf } from './fields.rules.ts';
import { deletedField, fieldInput } from './fields.schema.ts';
import { type FieldWalk, forgetFigures, removeField } from './fields.store.ts';

/** Maximum number of contacts per transaction; also below the number of rows that marks tracked segments stale. */
const batch = 5_000;

export const deleteContactField = command({
  name: 'contacts.deleteField',
  summary: 'Removes a custom field from all contacts',
  permission: 'data:write',
  risk: 'large',
  errors: ['BAD_REQUEST', 'CONFLICT'],
  input: fieldInput,
  output: deletedField,
  /** Each batch is committed separately, so that no transaction locks all contacts of a project; calling it again continues. */
  async prepare(ctx, { field }) {
    const key = await removableKey(ctx, ctx.db, field);
    let removed = 0;
    let after: FieldWalk | null = null;
    do {
      const done: { removed: number; next: FieldWalk | null } = await removeField(
        ctx.db,
        projectIdOf(ctx),
        key,
        after,
        batch,
      );
      removed += done.removed;
      after = done.next;
    } while (after !== null);
    return { key, removed };
  },
  async handler(ctx, { field }, { key, removed }) {
    const projectId = projectIdOf(ctx);
    await removableKey(ctx, ctx.db, field);
    // Contacts that got the field in the meantime.
    const rest = await removeField(ctx.db, projectId, key, null, batch);
    await removeDefinition(ctx.db, projectId, key);
    await noteWhetherDefined(ctx.db, projectId);
    await forgetFigures(ctx.db, projectId);
    ctx.audit({ targetType: 'contactField', targetId: key });
    return { deletedFrom: removed + rest.removed };
  },
});

/** @throws AppError BAD_REQUEST for a standard field, CONFLICT for one that is in use */
async function removableKey(ctx: Context, db: Db, text: string): Promise<string> {
  const field = fieldOf(text);
  if (field.kind === 'standard') throw badRequest(`${field.name} is a standard field and cannot be deleted`);
  const { templates, segments, campaigns, workflows } = await findReferences(db, projectIdOf(ctx), [
    field.name,
  ]);
  if (templates.length + segments.length + campaigns.length + workflows.length > 0) {
    throw conflict(`${field.name} is in use`, {
      details: { templates, segments, campaigns, workflows },
      suggestion: suggestions.CONFLICT.fieldUsed,
    });
  }
  if (await hasUnreadTexts(db, projectIdOf(ctx))) {
    throw conflict('The templates of this project are still being read after an upgrade', {
      suggestion: suggestions.CONFLICT.textsUnread,
    });
  }
  return field.key;
}
