/** A list has one of these types only where its field is defined as one. */
export type ContactValue = string | number | boolean | string[];

const number = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]\d+)?$/;
const quotedKey = /^("(?:[^"\\]|\\.)*")\s*:(.*)$/;

/**
 * Reads lines such as `plan: pro`, or one JSON object. Numbers and `true`/`false` get their type; a quoted value is always a string and
 * can contain newlines as `\n`.
 *
 * @throws Error with a message for the user when it can be read as neither
 */
export function parseDataLines(text: string): Record<string, ContactValue> {
  const lines = text.split('\n').map((line) => line.trim());
  return parseJson(text) ?? Object.fromEntries(lines.filter((line) => line !== '').map(parseLine));
}

/** Pasted JSON, whose lines would otherwise become fields such as `{"plan"`. */
function parseJson(text: string): Record<string, ContactValue> | null {
  if (!/^\s*[{[]/.test(text)) return null;
  const data = readJson(text);
  if (data === null || !Object.values(data).every(isValue))
    throw new Error(
      'Write one field per line, such as plan: pro, or one JSON object of texts, numbers and booleans',
    );
  return data as Record<string, ContactValue>;
}

export const isValue = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

function readJson(text: string): object | null {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : null;
  } catch {
    // Not JSON; the caller explains what is accepted.
    return null;
  }
}

function parseLine(line: string): [string, ContactValue] {
  const [, key, value = ''] = quotedKey.exec(line) ?? [];
  if (key !== undefined) return [unquote(key), parseValue(value.trim())];
  const colon = line.indexOf(':');
  if (colon < 1)
    throw new Error(`“${line}” is not a key and a value. Write them with a colon, such as plan: pro`);
  return [line.slice(0, colon).trim(), parseValue(line.slice(colon + 1).trim())];
}

function parseValue(text: string): ContactValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (number.test(text)) return Number(text);
  return /^".*"$/.test(text) ? unquote(text) : text;
}

/** The text between quotes. In a string that is not valid JSON, a backslash is an ordinary character. */
function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    // Not JSON, so it contains no escapes.
    return text.slice(1, -1);
  }
}

const isSame = (a: ContactValue | undefined, b: ContactValue): boolean =>
  a === b || (Array.isArray(a) && JSON.stringify(a) === JSON.stringify(b));

/** The update after which a contact has exactly `next`: changed keys with their value, removed ones as null. */
export function dataChanges(
  before: Readonly<Record<string, ContactValue>>,
  next: Readonly<Record<string, ContactValue>>,
): Record<string, ContactValue | null> {
  const changed = Object.entries(next).filter(([key, value]) => !isSame(before[key], value));
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(next, key));
  return { ...Object.fromEntries(removed.map((key) => [key, null])), ...Object.fromEntries(changed) };
}
