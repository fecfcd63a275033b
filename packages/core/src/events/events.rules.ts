import type { z } from 'zod';
import { readContactData, type SplitData } from '../contacts/contacts.schema.ts';
import { reservedDataKeys, unwrapValue } from '../kernel/data-values.rules.ts';

export interface TrackedData {
  contact: SplitData;
  /** what the event itself keeps: everything but reserved keys, `{value, persistent}` unwrapped (behaviour B4.3) */
  event: Record<string, unknown>;
}

/** What a tracked event's `data` means for its contact and for the event. */
export const readTrackedData = (
  data: Record<string, unknown>,
  ctx: z.core.$RefinementCtx<Record<string, unknown>>,
): TrackedData => ({ contact: readContactData(data, 'transient-allowed', ctx), event: eventDataOf(data) });

/** What of a caller's `data` an event keeps. */
export const eventDataOf = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([key]) => !reservedDataKeys.has(key))
      .map(([key, value]) => [key, unwrapValue(value)] as const),
  );
