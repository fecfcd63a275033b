/** Behaviour B7.4: missing is absent, null, or a string with nothing in it. */
const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The flat 400 of endpoints that answer it for missing fields: names the first one. */
export const missing =
  (...names: readonly string[]) =>
  (input: Record<string, unknown>): string | null => {
    const name = names.find((each) => isMissing(input[each]));
    return name === undefined ? null : `${name} is required`;
  };
