import { hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The part of a history's JSON form that is read here. */
export interface StoredHistory {
  events: {
    eventType: string;
    workflowExecutionStartedEventAttributes?: { workflowType: { name: string } };
    activityTaskScheduledEventAttributes?: { activityType: { name: string } };
  }[];
}

/** Recorded histories, one file each, named `<workflow type>-<hash of the shape>.json`. */
export const historiesFolder = fileURLToPath(new URL('../../histories/', import.meta.url));

/** The events of a history without ids, times and values: histories of the same shape replay in the same way. */
export const shapeOf = ({ events }: StoredHistory): string[] =>
  events.map(({ eventType, activityTaskScheduledEventAttributes: activity }) =>
    activity ? `${eventType} ${activity.activityType.name}` : eventType,
  );

const repository = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '');

/**
 * A history as text, without data of the machine that it was recorded on: identities (`pid@host`) and stack traces.
 *
 * @throws Error when data of the machine remains in it, values included
 */
export function withoutMachine(history: StoredHistory): string {
  const cleaned: unknown = JSON.parse(JSON.stringify(history), (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (key === 'stackTrace' || key === 'identity') return '';
    return value.replaceAll(/\d+@[\w.-]+/g, (name) => (name.includes(hostname()) ? 'worker' : name));
  });
  const { events } = cleaned as { events: unknown[] };
  // One event per line, so that a new recording can be compared with the old one.
  const text = `{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}`;
  const values = [...text.matchAll(/"data":"([A-Za-z0-9+/=]+)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  );
  const machine = [hostname(), repository, userInfo().homedir].filter((word) => word.length > 3);
  const found = machine.find((word) => [text, ...values].some((each) => each.includes(word)));
  if (found !== undefined) throw new Error(`a history names the machine that it was recorded on: ${found}`);
  return text;
}
