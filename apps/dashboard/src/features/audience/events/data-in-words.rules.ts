/** The data of an event or contact on one line: `plan: pro · items: 3 values`. */
export const dataInWords = (data: Readonly<Record<string, unknown>>): string =>
  Object.entries(data)
    .map(([key, value]) => `${key}: ${valueInWords(value)}`)
    .join(' · ');

/** One value of such data. */
export function valueInWords(value: unknown): string {
  if (value === null) return 'none';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value)) return count(value.length, 'value');
  return typeof value === 'object' ? count(Object.keys(value).length, 'field') : String(value);
}

const count = (size: number, one: string): string => `${size} ${size === 1 ? one : `${one}s`}`;
