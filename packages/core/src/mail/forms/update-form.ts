import { isDeepStrictEqual } from 'node:util';
import { readTopics } from '../../audience/topics/index.ts';
import { command, projectIdOf, senderRefused } from '../../base/kernel/index.ts';
import { assertCanOpen, assertTexts, numbersOfTopics } from './assert-form.ts';
import { formNotFound } from './form-not-found.ts';
import { formRecord, updateFormInput } from './forms.schema.ts';
import { changeForm, contentOfForm, type FormRow, findForm } from './forms.store.ts';
import { presentForm } from './present-form.ts';

export const updateForm = command({
  name: 'forms.update',
  summary: 'Updates a sign-up form. What visitors saw before stays on record as a version',
  permission: 'data:write',
  risk: 'mail',
  errors: ['RESOURCE_NOT_FOUND', senderRefused],
  input: updateFormInput,
  output: formRecord,
  async handler(ctx, { id, topics: keys, ...change }) {
    const projectId = projectIdOf(ctx);
    const before = await findForm(ctx.db, projectId, id, 'change');
    if (!before) throw formNotFound();
    const topics = await readTopics(ctx.db, projectId);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const after: FormRow = {
      ...before,
      ...given,
      topics: keys ? numbersOfTopics(topics, keys) : before.topics,
    };
    assertTexts(after, after.enabled);
    if (after.enabled) await assertCanOpen(ctx, ctx.db, after.topics);
    const isNew = !isDeepStrictEqual(contentOfForm(before), contentOfForm(after));
    const row = await changeForm(ctx.db, after, isNew);
    const changed = (Object.keys(after) as (keyof FormRow)[]).filter(
      (field) => !isDeepStrictEqual(before[field], after[field]),
    );
    ctx.audit({ targetType: 'form', targetId: id, changed });
    return presentForm(ctx.services, row, topics);
  },
});
