import { readTopics } from '../../audience/topics/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { formNotFound } from './form-not-found.ts';
import { formIdInput, formRecord } from './forms.schema.ts';
import { findForm } from './forms.store.ts';
import { presentForm } from './present-form.ts';

export const getForm = query({
  name: 'forms.get',
  summary: 'Gets a sign-up form',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: formIdInput,
  output: formRecord,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const form = await findForm(ctx.db, projectId, id);
    if (!form) throw formNotFound();
    return presentForm(ctx.services, form, await readTopics(ctx.db, projectId));
  },
});
