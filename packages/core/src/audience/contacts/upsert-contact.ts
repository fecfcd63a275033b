import { command, projectIdOf } from '../../base/kernel/index.ts';
import { numberedChoices, statedBy } from '../consent/index.ts';
import { upsertContactInput, upsertedContact } from './contacts.schema.ts';
import { upsertOne } from './contacts.store.ts';
import { assertListsFit, settledData } from './fields/definitions.ts';

export const upsertContact = command({
  name: 'contacts.upsert',
  summary: 'Creates a contact, or updates the one with the same address',
  permission: 'data:write',
  risk: 'events',
  errors: ['CONFLICT'],
  input: upsertContactInput,
  output: upsertedContact,
  async handler(ctx, { email, subscribed = null, externalId, data, topics, consent }) {
    const projectId = projectIdOf(ctx);
    const { set, unset, lists } = await settledData(ctx, data, 'strict');
    const choices = await numberedChoices(ctx.db, projectId, topics);
    const said = await statedBy(ctx, projectId, consent);
    const change = { email, subscribed, set, unset, lists, choices };
    const { isNew, ...contact } = await upsertOne(ctx, projectId, change, externalId, said);
    assertListsFit(contact.data, lists);
    ctx.audit({ targetType: 'contact', targetId: contact.id });
    return { ...contact, _meta: { isNew, isUpdate: !isNew } };
  },
});
