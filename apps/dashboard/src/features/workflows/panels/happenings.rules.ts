import { type ContactValue, parseDataLines } from '../../audience/contacts/contact-data.rules.ts';
import { UnreadableField } from '../steps/step-input.rules.ts';

const unitMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

/** The data of an event as it is entered, one field per line. @throws UnreadableField at the field */
export function readData(lines: string, field: string): Record<string, ContactValue> {
  try {
    return parseDataLines(lines);
  } catch (error) {
    throw new UnreadableField(field, error instanceof Error ? error.message : String(error));
  }
}

interface Happening {
  eventName: string;
  at: string;
  data?: Record<string, ContactValue>;
}

/** The events of the rows of a form, in their order: `events.<n>.eventName`, so much time after the start. @throws UnreadableField */
export function readHappenings(values: Readonly<Record<string, string>>, startAt: Date): Happening[] {
  const events: Happening[] = [];
  for (let n = 0; values[`events.${n}.eventName`] !== undefined; n += 1) {
    const unit = values[`events.${n}.unit`] as keyof typeof unitMs;
    const after = Number(values[`events.${n}.after`] ?? 0) * (unitMs[unit] ?? unitMs.hours);
    const at = new Date(startAt.getTime() + after).toISOString();
    const data = readData(values[`events.${n}.data`] ?? '', `events.${n}.data`);
    events.push({
      eventName: values[`events.${n}.eventName`] ?? '',
      at,
      ...(Object.keys(data).length > 0 && { data }),
    });
  }
  return events;
}
