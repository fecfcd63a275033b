import type { z } from 'zod';
import { reservedDataKeys, unwrapValue } from '../../base/lib/data-values.rules.ts';
import { readContactData, type SplitData } from '../contacts/contacts.schema.ts';

export interface TrackedData {
  contact: SplitData;
  /** data of the event: everything except reserved keys, `{value, persistent}` unwrapped (behaviour B4.3) */
  event: Record<string, unknown>;
}

/** The contact data and event data of a tracked event's `data`. */
export const readTrackedData = (
  data: Record<string, unknown>,
  ctx: z.core.$RefinementCtx<Record<string, unknown>>,
): TrackedData => ({ contact: readContactData(data, 'transient-allowed', ctx), event: eventDataOf(data) });

/** The part of a caller's `data` that an event stores. */
export const eventDataOf = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([key]) => !reservedDataKeys.has(key))
      .map(([key, value]) => [key, unwrapValue(value)] as const),
  );
