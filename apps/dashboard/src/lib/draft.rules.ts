/** What was typed into a form and not saved: the values of its fields, and what its other controls hold. */
export interface Draft {
  /** when it was stored, in milliseconds since 1970 */
  at: number;
  values: Readonly<Record<string, string>>;
  extra: unknown;
}

/** Fields that are not part of what the form saves. */
const transient = new Set(['sampleValues', 'find-template', 'typeToAdd']);

const keptMs = 30 * 24 * 60 * 60 * 1_000;

/** The values of the fields of a form by name; a draft holds no files. */
export const readValues = (entries: Iterable<[string, FormDataEntryValue]>): Record<string, string> =>
  Object.fromEntries(
    [...entries].flatMap(([name, value]) =>
      typeof value === 'string' && !transient.has(name) ? [[name, value]] : [],
    ),
  );

/** Whether two states of a form would save the same. The order of the fields does not matter. */
export function isSame(one: Omit<Draft, 'at'>, other: Omit<Draft, 'at'>): boolean {
  const names = new Set([...Object.keys(one.values), ...Object.keys(other.values)]);
  return (
    [...names].every((name) => one.values[name] === other.values[name]) &&
    JSON.stringify(one.extra) === JSON.stringify(other.extra)
  );
}

/** A stored draft; null if it is too old or not readable, which a newer version of the dashboard may have caused. */
export function parseDraft(text: string | null, now: number): Draft | null {
  if (text === null) return null;
  try {
    const draft: unknown = JSON.parse(text);
    return isDraft(draft) && now - draft.at < keptMs ? draft : null;
  } catch {
    // Not JSON: written by something else.
    return null;
  }
}

const isDraft = (draft: unknown): draft is Draft =>
  typeof draft === 'object' &&
  draft !== null &&
  'at' in draft &&
  typeof draft.at === 'number' &&
  'values' in draft &&
  typeof draft.values === 'object' &&
  draft.values !== null &&
  Object.values(draft.values).every((value) => typeof value === 'string');
