/** Behaviour B7.4: a missing field is absent, null, or a blank string. */
const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The flat 400 for missing fields: names the first one. */
export const missing =
  (...names: readonly string[]) =>
  (input: Record<string, unknown>): string | null => {
    const name = names.find((each) => isMissing(input[each]));
    return name === undefined ? null : `${name} is required`;
  };
