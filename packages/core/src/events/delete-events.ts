import { badRequest, command, conflict, projectIdOf } from '../kernel/index.ts';
import { findEventReferences, isInUse } from './event-references.ts';
import { deletedEvents, eventNameInput, isReservedEvent } from './events.schema.ts';
import { removeEvents } from './history.store.ts';

export const deleteEvents = command({
  name: 'events.delete',
  summary: 'Deletes every event of a name that nothing uses',
  permission: 'data:write',
  errors: ['BAD_REQUEST', 'CONFLICT'],
  input: eventNameInput,
  output: deletedEvents,
  async handler(ctx, { eventName }) {
    if (isReservedEvent(eventName)) throw badRequest('The events of the service itself cannot be deleted');
    const projectId = projectIdOf(ctx);
    const references = await findEventReferences(ctx.db, projectId, eventName);
    if (isInUse(references)) {
      throw conflict('The event is in use', {
        suggestion: 'See where with GET /events/:eventName/usage and change that first',
      });
    }
    const deletedCount = await removeEvents(ctx.db, projectId, eventName);
    ctx.audit({ targetType: 'event', targetId: eventName });
    return { deletedCount };
  },
});
