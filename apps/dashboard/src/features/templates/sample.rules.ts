type Read = { data: Record<string, unknown> } | { problem: string };

/** Reads sample values: a JSON object, or empty text. */
export function readSample(text: string): Read {
  if (text.trim() === '') return { data: {} };
  try {
    const data: unknown = JSON.parse(text);
    if (isObject(data)) return { data };
    return { problem: 'Enter a JSON object, such as {"name": "Ada"}' };
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Plain names only: a name before a dot is an object or a loop variable. */
const outputs = /\{\{-?\s*(?:data\.)?([A-Za-z_]\w*)(?![\w.[])/g;
/** Variables that every email has. */
const systemNames = new Set([
  'id',
  'email',
  'svc_id',
  'svc_email',
  'subscribed',
  'locale',
  'unsubscribeUrl',
  'subscribeUrl',
  'manageUrl',
  'data',
  'event',
]);

/** The sample with an empty value added for every variable of the email that it lacks. */
export function withNamesOf(text: string, sources: string[]): string {
  const read = readSample(text);
  if ('problem' in read) return text;
  const names = sources.flatMap((source) => [...source.matchAll(outputs)].map(([, name = '']) => name));
  const missing = names.filter((name) => !systemNames.has(name) && !Object.hasOwn(read.data, name));
  const places = Object.fromEntries(missing.map((name) => [name, '']));
  return JSON.stringify({ ...read.data, ...places }, null, 2);
}
