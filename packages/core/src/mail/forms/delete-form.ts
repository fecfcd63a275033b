import { command, emptyObject, projectIdOf } from '../../base/kernel/index.ts';
import { formNotFound } from './form-not-found.ts';
import { formIdInput } from './forms.schema.ts';
import { findForm, markFormDeleted } from './forms.store.ts';

export const deleteForm = command({
  name: 'forms.delete',
  summary: 'Deletes a sign-up form. Open requests can still be confirmed',
  permission: 'data:write',
  risk: 'large',
  errors: ['RESOURCE_NOT_FOUND'],
  input: formIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    if (!(await findForm(ctx.db, projectId, id, 'change'))) throw formNotFound();
    await markFormDeleted(ctx.db, projectId, id);
    ctx.audit({ targetType: 'form', targetId: id });
    return {};
  },
});
