import type { FieldError } from './errors.ts';

/** Maximum nesting of JSON. The deepest valid input, a filter tree, has 40 levels. */
const maxNesting = 500;
/** Maximum length of a list. No endpoint accepts a longer one, and reporting each element would be longer still. */
const maxElements = 100_000;

/**
 * Finds input that no endpoint accepts, before schema validation: U+0000 and unpaired surrogates, which PostgreSQL
 * cannot store as text, reported at their field; and JSON that is too deep or too long to walk safely.
 *
 * @param path path of `value`; modified during the walk and restored
 */
export function findUnacceptable(value: unknown, path: (string | number)[]): FieldError | null {
  if (typeof value === 'string') return isStorable(value) ? null : unstorable(path);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return null;
  if (path.length >= maxNesting) return tooBig([path[0] ?? ''], `Nested at most ${maxNesting} levels deep`);
  if (Array.isArray(value)) {
    if (value.length > maxElements) return tooBig(path, `At most ${maxElements} elements`);
    for (let index = 0; index < value.length; index += 1) {
      const found = findWithin(value[index], index, path);
      if (found) return found;
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    if (!isStorable(key)) return unstorable([...path, key.toWellFormed().replaceAll('\0', '\uFFFD')]);
    const found = findWithin((value as Record<string, unknown>)[key], key, path);
    if (found) return found;
  }
  return null;
}

function findWithin(item: unknown, key: string | number, path: (string | number)[]): FieldError | null {
  if (typeof item !== 'string' && (typeof item !== 'object' || item === null)) return null;
  path.push(key);
  const found = findUnacceptable(item, path);
  path.pop();
  return found;
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const unstorable = (path: (string | number)[]): FieldError => ({
  field: path.join('.'),
  message: 'Must not contain U+0000 or unpaired surrogates',
  code: 'custom',
});

const tooBig = (path: (string | number)[], message: string): FieldError => ({
  field: path.join('.'),
  message,
  code: 'too_big',
});
