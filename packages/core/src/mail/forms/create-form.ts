import { readTopics } from '../../audience/topics/index.ts';
import { command, conflict, projectIdOf, senderRefused, suggestions } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { assertCanOpen, assertTexts, numbersOfTopics } from './assert-form.ts';
import { languagesOf, mostForms } from './forms.rules.ts';
import { createFormInput, formRecord } from './forms.schema.ts';
import { countForms, insertForm, lockForms } from './forms.store.ts';
import { presentForm } from './present-form.ts';

export const createForm = command({
  name: 'forms.create',
  summary: 'Creates a sign-up form',
  permission: 'data:write',
  risk: 'mail',
  errors: ['CONFLICT', senderRefused],
  input: createFormInput,
  output: formRecord,
  async handler(ctx, { topics: keys, language: given, ...input }) {
    const projectId = projectIdOf(ctx);
    await lockForms(ctx.db, projectId);
    if ((await countForms(ctx.db, projectId)) >= mostForms) {
      throw conflict(`A project has at most ${mostForms} forms`, {
        suggestion: suggestions.CONFLICT.mostForms,
      });
    }
    const topics = await readTopics(ctx.db, projectId);
    const numbers = numbersOfTopics(topics, keys);
    const language = given ?? languagesOf(input.title)[0] ?? 'en';
    const form = { ...input, id: newId(), projectId, topics: numbers, language };
    assertTexts(form, form.enabled);
    if (form.enabled) await assertCanOpen(ctx, ctx.db, numbers);
    const row = await insertForm(ctx.db, form);
    ctx.audit({ targetType: 'form', targetId: row.id });
    return presentForm(ctx.services, row, topics);
  },
});
