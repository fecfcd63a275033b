import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { eventIdInput, eventShape } from './events.schema.ts';
import { findEvents } from './history.store.ts';

export const getEvent = query({
  name: 'events.get',
  summary: 'Returns one event',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: eventIdInput,
  output: eventShape,
  async handler(ctx, { id }) {
    const [event] = await findEvents(ctx.db, projectIdOf(ctx), [id]);
    if (!event) throw new AppError('RESOURCE_NOT_FOUND', 'Event not found');
    return event;
  },
});
