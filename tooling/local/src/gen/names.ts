/** An invalid call of the generator. */
export class GenError extends Error {
  override name = 'GenError';
}

export const camel = (kebab: string): string =>
  kebab.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
