import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { contactEventList, contactEventsInput } from './events.schema.ts';
import { eventsOfContact } from './history.store.ts';

export const listContactEvents = query({
  name: 'events.listOfContact',
  summary: 'Lists the events of one contact, newest first',
  permission: 'data:read',
  errors: ['CONTACT_NOT_FOUND'],
  input: contactEventsInput,
  output: contactEventList,
  async handler(ctx, { contactId, limit }) {
    const events = await eventsOfContact(ctx.db, projectIdOf(ctx), contactId, limit);
    if (!events) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
    return { events };
  },
});
