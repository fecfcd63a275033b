import { isReservedEvent } from '../../base/event-types/event-types.rules.ts';
import { badRequest, command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { findEventReferences, isInUse } from './event-references.ts';
import { deletedEvents, eventNameInput } from './events.schema.ts';
import { removeEvents } from './history.store.ts';

export const deleteEvents = command({
  name: 'events.delete',
  summary: 'Deletes all events of an unused name',
  permission: 'data:write',
  risk: 'large',
  errors: ['BAD_REQUEST', 'CONFLICT'],
  input: eventNameInput,
  output: deletedEvents,
  async handler(ctx, { eventName }) {
    if (isReservedEvent(eventName)) throw badRequest('System events cannot be deleted');
    const projectId = projectIdOf(ctx);
    const references = await findEventReferences(ctx.db, projectId, eventName);
    if (isInUse(references)) {
      throw conflict('The event is in use', {
        suggestion: suggestions.CONFLICT.eventUsed,
      });
    }
    const deletedCount = await removeEvents(ctx.db, projectId, eventName);
    ctx.audit({ targetType: 'event', targetId: eventName });
    return { deletedCount };
  },
});
