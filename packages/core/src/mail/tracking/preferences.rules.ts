import type { snoozeDurations } from './tracking.schema.ts';

const months = { '1m': 1, '6m': 6, '1y': 12 } as const;

/** When a pause that begins now ends: 14 days later, or on the same day of a later month, its last one if that has no such day (behaviour B3.2). */
export function snoozeEnd(duration: (typeof snoozeDurations)[number], from: Date): Date {
  const end = new Date(from);
  if (duration === '2w') {
    end.setUTCDate(end.getUTCDate() + 14);
    return end;
  }
  const day = end.getUTCDate();
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months[duration]);
  const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, last));
  return end;
}
