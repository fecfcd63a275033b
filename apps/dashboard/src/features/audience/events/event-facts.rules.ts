import { isReservedEvent } from '@postrider/core/base/event-types/contract';
import { valueInWords } from './data-in-words.rules.ts';

/** One value of an event's data. */
export interface EventFact {
  /** in words where Postrider wrote it, as it is where the product did */
  name: string;
  value: string;
  /** the page of the thing it names, below the project */
  path?: string;
  /** a point in time, as the API writes them */
  isTime?: true;
  /** JSON on several lines */
  isJson?: true;
}

/** What the ids of Postrider's own events stand for: its name, the folder of its page, and the key that says it in words. */
const things: Readonly<Record<string, { name: string; folder: string; said?: string }>> = {
  emailId: { name: 'Email', folder: 'emails', said: 'subject' },
  campaignId: { name: 'Campaign', folder: 'campaigns' },
  templateId: { name: 'Template', folder: 'templates' },
  segmentId: { name: 'Segment', folder: 'segments', said: 'segmentName' },
  formId: { name: 'Form', folder: 'forms' },
};

/** The data of an event as names and values. Ids of an event that Postrider emitted become links, which come first; what the product sent stays as it is. */
export function factsOf({
  name,
  data,
}: {
  name: string;
  data: Readonly<Record<string, unknown>>;
}): EventFact[] {
  if (!isReservedEvent(name)) return Object.entries(data).map(([key, value]) => factOf(key, value));
  const said = new Set(
    Object.keys(data).flatMap((key) => (typeof data[key] === 'string' ? (things[key]?.said ?? []) : [])),
  );
  const facts = Object.entries(data).flatMap(([key, value]): EventFact | [] => {
    if (value === null || value === '' || said.has(key)) return [];
    const thing = things[key];
    if (!thing || typeof value !== 'string') return factOf(inWords(key), value);
    const words = thing.said === undefined ? null : data[thing.said];
    return {
      name: thing.name,
      value: typeof words === 'string' && words !== '' ? words : `View ${thing.name.toLowerCase()}`,
      path: `${thing.folder}/${value}`,
    };
  });
  return facts.toSorted((a, b) => Number(b.path !== undefined) - Number(a.path !== undefined));
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Whether a text is a time that a calendar has: what is none, as 31 February, is shown as it was sent. */
function isInstant(text: string): boolean {
  if (!instant.test(text)) return false;
  const time = new Date(text);
  return Number.isFinite(time.getTime()) && time.toISOString().startsWith(text.slice(0, 19));
}

function factOf(name: string, value: unknown): EventFact {
  if (typeof value === 'string' && isInstant(value)) return { name, value, isTime: true };
  if (typeof value === 'object' && value !== null)
    return { name, value: JSON.stringify(value, null, 2), isJson: true };
  return { name, value: valueInWords(value) };
}

/** `isFirstOpen` as "First open", `openedAt` as "Opened". */
function inWords(key: string): string {
  const words = key
    .replace(/^is(?=[A-Z])/, '')
    .replace(/(?<=[a-z])At$/, '')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
