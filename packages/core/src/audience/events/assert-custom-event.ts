import { isReservedEvent } from '../../base/event-types/event-types.rules.ts';
import { invalid } from '../../base/kernel/index.ts';

/**
 * Refuses reserved event names (behaviour B6.1).
 *
 * @param field the field of the request that holds the name
 * @throws AppError VALIDATION_ERROR with the field code `reserved_event`
 */
export function assertCustomEvent(name: string, field: 'event' | 'name'): void {
  if (!isReservedEvent(name)) return;
  const message = 'Cannot track reserved system event';
  throw invalid([{ field, code: 'reserved_event', message, received: name }], message);
}
