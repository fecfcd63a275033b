/** An invalid call of the generator. */
export class GenError extends Error {
  override name = 'GenError';
}

export const camel = (kebab: string): string =>
  kebab.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A name as a value of an enum of the database, such as ADD_TO_SEGMENT. */
export const typeName = (kebab: string): string => kebab.replaceAll('-', '_').toUpperCase();

/** The time as names of migrations begin. */
export const stampOf = (now: Date): string => now.toISOString().replace(/[-:T]|\..*/g, '');
