/** What a field shows of a stored value: a text or a number as it is, anything else as what is to stand there otherwise. */
export const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
