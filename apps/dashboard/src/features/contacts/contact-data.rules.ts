export type ContactValue = string | number | boolean;

/**
 * Reads lines such as `plan: pro`. Numbers and `true`/`false` get their type; quotes keep a text a text.
 *
 * @throws Error in plain words for a line without a colon
 */
export function parseDataLines(text: string): Record<string, ContactValue> {
  const lines = text.split('\n').map((line) => line.trim());
  return Object.fromEntries(lines.filter((line) => line !== '').map(parseLine));
}

function parseLine(line: string): [string, ContactValue] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error(`“${line}” is no pair: write a key, a colon and a value`);
  return [line.slice(0, colon).trim(), parseValue(line.slice(colon + 1).trim())];
}

function parseValue(text: string): ContactValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return Number(text);
  return /^".*"$/.test(text) ? text.slice(1, -1) : text;
}
