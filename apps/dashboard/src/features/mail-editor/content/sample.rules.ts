import { sampleData } from '../variables/variables.rules.ts';

type Read = { data: Record<string, unknown> } | { problem: string };

/** Reads sample values: a JSON object, or empty text. */
export function readSample(text: string): Read {
  if (text.trim() === '') return { data: {} };
  try {
    const data: unknown = JSON.parse(text);
    if (isObject(data)) return { data };
    return { problem: 'Enter a JSON object, such as {"firstName": "Ada"}' };
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The sample with a value added for every variable of the email that it lacks. */
export function withNamesOf(text: string, sources: string[]): string {
  const read = readSample(text);
  if ('problem' in read) return text;
  const missing = Object.entries(sampleData(sources)).filter(([name]) => !Object.hasOwn(read.data, name));
  return JSON.stringify({ ...read.data, ...Object.fromEntries(missing) }, null, 2);
}
