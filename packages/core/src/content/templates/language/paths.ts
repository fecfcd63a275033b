import { nameText } from '../../../base/lib/names.rules.ts';
import { BLANKS, trimBlanks } from './blanks.ts';

/** Names as strings, array indexes as numbers. */
type Segments = readonly (string | number)[];

/** The way to a value. */
export interface Path {
  readonly segments: Segments;
  /** A plain name as a whole: as it is written, with its blanks collapsed, and as a key is stored. null for a path with brackets. */
  readonly names: readonly string[] | null;
}

/** Longest key that is looked for at the end of a path, so that a long path over deep data costs no square. */
const MAX_REST_LENGTH = 1_000;
/** The characters of plain names: what liquidjs's identifiers consist of, with dots, apostrophes and blanks. */
const PLAIN_NAME = new RegExp(`^[\\w\\-.'\\u0080-\\uffff${BLANKS}]+$`);
/** The way to a value under keys that are no plain names. */
const PLAIN_SEGMENT = new RegExp(`^[\\w\\-'\\u0080-\\uffff${BLANKS}]+$`);
/** Other apostrophes begin or end a string. */
const APOSTROPHE_OUTSIDE_WORD = /(?<![\p{L}\p{N}_])'|'(?![\p{L}\p{N}_])/u;
const ONLY_DOTS = new RegExp(`^[.${BLANKS}]*$`);
const BLANK_RUN = new RegExp(`[${BLANKS}]+`, 'g');
const QUOTED_KEY = /^\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\]/;
const INDEX = /^\[\s*(-?\d{1,15})\s*\]/;
const NUMBER = /^[+-]?\d+(\.\d*)?$/;
const LITERALS = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank']);
const OPERATOR_WORD = /(^| )(and|or|not|contains)( |$)/;

/**
 * Parses the plain names `first name`, `Tel.` and `profile.first name`, and the paths `data["first name"]` and
 * `items[0].title`; null for anything else (a string, a comparison), which liquidjs then parses.
 */
export function parsePath(text: string): Path | null {
  const name = trimBlanks(text);
  return name.includes('[') ? parseBrackets(name) : parseName(name);
}

function parseName(name: string): Path | null {
  if (ONLY_DOTS.test(name) || !PLAIN_NAME.test(name) || APOSTROPHE_OUTSIDE_WORD.test(name)) return null;
  const collapsed = name.replace(BLANK_RUN, ' ');
  return {
    segments: collapsed.split('.').map(trimBlanks),
    names: [...new Set([name, collapsed, nameText(collapsed)])],
  };
}

function parseBrackets(text: string): Path | null {
  let rest = text;
  const segments: (string | number)[] = [];
  while (rest !== '') {
    const isFirst = segments.length === 0;
    if (rest.startsWith('[')) {
      const key = QUOTED_KEY.exec(rest);
      const index = key ? null : INDEX.exec(rest);
      const match = key ?? index;
      if (!match || (isFirst && index)) return null;
      segments.push(key ? (key[1] ?? key[2] ?? '') : Number(match[1]));
      rest = rest.slice(match[0].length);
      continue;
    }
    if (!isFirst) {
      if (!rest.startsWith('.')) return null;
      rest = rest.slice(1);
    }
    const end = rest.search(/[.[]/);
    const name = trimBlanks((end === -1 ? rest : rest.slice(0, end)).replace(BLANK_RUN, ' '));
    if (name === '' || !PLAIN_SEGMENT.test(name) || APOSTROPHE_OUTSIDE_WORD.test(name)) return null;
    if (isFirst && (LITERALS.has(name) || NUMBER.test(name))) return null;
    segments.push(name);
    rest = end === -1 ? '' : rest.slice(end);
  }
  return { segments, names: null };
}

/** `terms and conditions`, `2024` and `true` may be a name or an expression, depending on the recipient's data. */
export function mayBeExpression({ names }: Path): boolean {
  const name = names?.at(-1);
  return name !== undefined && (OPERATOR_WORD.test(name) || NUMBER.test(name) || LITERALS.has(name));
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

/** The value at the path. Keys of contact data may contain dots, so every name is tried as a single key first. */
export function resolvePath(vars: Record<string, unknown>, { segments, names }: Path): unknown {
  if (names) return resolveName(vars, vars, names, readProperty);
  let value: unknown = vars;
  for (const segment of segments) {
    value = readProperty(value, segment);
    if (value === undefined || value === null) break;
  }
  return value === undefined && segments.length > 1 ? resolveFlatKey(vars, segments) : value;
}

/**
 * The value of a plain name: of the whole name among the variables and in `data`, else of its path, whose end may again be
 * a key with dots, as in `data.address.city`.
 *
 * @param scope where the path begins: the variables, or what a tag has named
 */
export function resolveName(
  vars: Record<string, unknown>,
  scope: object,
  names: readonly string[],
  read: (value: unknown, key: string) => unknown,
): unknown {
  for (const name of names) {
    if (scope === vars && name.length <= MAX_REST_LENGTH) {
      if (Object.hasOwn(vars, name)) return vars[name];
      const { data } = vars;
      if (hasKey(data, name)) return data[name];
    }
    const value = followName(scope, name, read);
    if (value !== undefined) return value;
  }
  return undefined;
}

function followName(scope: object, name: string, read: (value: unknown, key: string) => unknown): unknown {
  let value: unknown = scope;
  let rest = name;
  while (value !== undefined && value !== null) {
    if (rest.length <= MAX_REST_LENGTH && hasKey(value, rest)) return value[rest];
    const dot = rest.indexOf('.');
    if (dot === -1) return read(value, rest);
    value = read(value, trimBlanks(rest.slice(0, dot)));
    rest = trimBlanks(rest.slice(dot + 1));
  }
  return value;
}

/** Whether the value is data with this key of its own, neither a list nor an object of liquidjs. */
function hasKey(value: unknown, key: string): value is Record<string, unknown> {
  return (
    typeof value === 'object' && !Array.isArray(value) && isPlain(value) && Object.hasOwn(Object(value), key)
  );
}

/** liquidjs's own objects (`forloop`) have methods; everything else is data. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function resolveFlatKey(vars: object, segments: Segments): unknown {
  const whole = segments.join('.');
  if (Object.hasOwn(vars, whole)) return (vars as Record<string, unknown>)[whole];
  if (segments[0] !== 'data' || segments.length < 3) return undefined;
  return readProperty(readProperty(vars, 'data'), segments.slice(1).join('.'));
}
