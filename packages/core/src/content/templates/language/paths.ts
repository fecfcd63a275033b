import { BLANKS, trimBlanks } from './blanks.ts';

/** The path to a value: names as strings, array indexes as numbers. */
export type Path = readonly (string | number)[];

const BLANK_RUN = new RegExp(`[${BLANKS}]+`, 'g');
// The characters of a liquidjs identifier (ASCII letters, digits, `_`, `-`, everything beyond ASCII except blanks),
// with inner blanks and apostrophes.
const PLAIN_NAME = new RegExp(`^[\\w\\-\\u0080-\\uffff${BLANKS}][\\w\\-'\\u0080-\\uffff${BLANKS}]*$`);
const QUOTED_KEY = /^\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\]/;
const INDEX = /^\[\s*(-?\d{1,15})\s*\]/;
const NUMBER = /^[+-]?\d+(\.\d*)?$/;
const LITERALS = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank']);
const OPERATOR_WORD = /(^| )(and|or|not|contains)( |$)/;

/**
 * Parses `first name`, `profile.first name`, `data["first name"]`, `items[0].title`; null for anything else (a
 * literal, a comparison), which liquidjs then parses.
 */
export function parsePath(text: string): Path | null {
  let rest = trimBlanks(text);
  if (rest === '' || NUMBER.test(rest)) return null;
  const path: (string | number)[] = [];
  while (rest !== '') {
    const isFirst = path.length === 0;
    if (rest.startsWith('[')) {
      const key = QUOTED_KEY.exec(rest);
      const index = key ? null : INDEX.exec(rest);
      const match = key ?? index;
      if (!match || (isFirst && index)) return null;
      path.push(key ? (key[1] ?? key[2] ?? '') : Number(match[1]));
      rest = rest.slice(match[0].length);
      continue;
    }
    if (!isFirst) {
      if (!rest.startsWith('.')) return null;
      rest = rest.slice(1);
    }
    const end = rest.search(/[.[]/);
    const name = (end === -1 ? rest : rest.slice(0, end)).replace(BLANK_RUN, ' ').trim();
    if (name === '' || !PLAIN_NAME.test(name)) return null;
    if (isFirst && (LITERALS.has(name) || NUMBER.test(name))) return null;
    path.push(name);
    rest = end === -1 ? '' : rest.slice(end);
  }
  return path;
}

/** `terms and conditions` may be a name or a comparison, depending on the recipient's data. */
export function mayBeExpression(path: Path): boolean {
  return path.some((segment) => typeof segment === 'string' && OPERATOR_WORD.test(segment));
}

/** One step of a path: own properties only, and Liquid's `size`, `first` and `last`. */
export function readProperty(value: unknown, key: string | number): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value) && typeof key === 'number') {
    const index = key < 0 ? value.length + key : key;
    return Object.hasOwn(value, index) ? value[index] : undefined;
  }
  const holder: object = Object(value);
  if (Object.hasOwn(holder, key)) return (holder as Record<string | number, unknown>)[key];
  if (key === 'size') {
    if (typeof value === 'string' || Array.isArray(value)) return value.length;
    return typeof value === 'object' ? Object.keys(value).length : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  if (key === 'first') return value[0];
  return key === 'last' ? value.at(-1) : undefined;
}

/** The value at the path. Keys of contact data may contain dots, so a path without a value is also tried as a single key. */
export function resolvePath(vars: Record<string, unknown>, path: Path): unknown {
  let value: unknown = vars;
  for (const segment of path) {
    value = readProperty(value, segment);
    if (value === undefined || value === null) break;
  }
  return value === undefined && path.length > 1 ? resolveFlatKey(vars, path) : value;
}

export function resolveFlatKey(vars: object, path: Path): unknown {
  const whole = path.join('.');
  if (Object.hasOwn(vars, whole)) return (vars as Record<string, unknown>)[whole];
  if (path[0] !== 'data' || path.length < 3) return undefined;
  return readProperty(readProperty(vars, 'data'), path.slice(1).join('.'));
}
