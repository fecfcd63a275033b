import { readTopics } from '../../audience/topics/index.ts';
import { cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { formList, listFormsInput } from './forms.schema.ts';
import { countForms, pageOfForms } from './forms.store.ts';
import { presentForm } from './present-form.ts';

export const listForms = query({
  name: 'forms.list',
  summary: 'Lists sign-up forms, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listFormsInput,
  output: formList,
  async handler(ctx, input) {
    const projectId = projectIdOf(ctx);
    const cursors = cursorsOf('forms.list', input);
    const after = cursors.after();
    const rows = await pageOfForms(ctx.db, projectId, { after, take: input.limit + 1 });
    const topics = await readTopics(ctx.db, projectId);
    const total = after ? 0 : await countForms(ctx.db, projectId);
    return cursors.page(
      rows.map((row) => presentForm(ctx.services, row, topics)),
      ({ createdAt }) => createdAt,
      total,
    );
  },
});
