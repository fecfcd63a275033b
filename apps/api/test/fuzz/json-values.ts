import fc from 'fast-check';
import type { Json } from '../openapi-walk.ts';

/** Values that have broken parsers, databases and renderers, whatever field they are given to. */
const hostile: readonly Json[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  0.1,
  '',
  ' ',
  'null',
  'NaN',
  'true',
  '-1',
  '1e400',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u2066',
  '👩‍👩‍👧‍👦',
  'a\r\nBcc: victim@example.com',
  '../../etc/passwd',
  '\'; DROP TABLE "Email"; --',
  '%',
  '%00',
  '%s%n',
  '{{',
  '{% if %}',
  '{{ "a" | repeat: 999999 }}',
  '{% for i in (1..999999999) %}x{% endfor %}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'data.__proto__',
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '01a1fbbb-6049-7208-955a-65aac1f35b72',
  '00000000-0000-0000-0000-000000000000',
  'a@b',
  'a@b.c',
  '"a b"@example.com',
  'x'.repeat(300),
  'ä'.repeat(1_100),
  'x'.repeat(70_000),
  [],
  [null],
  [[]],
  [[[[[[[[[[1]]]]]]]]]],
  {},
  { a: { b: { c: { d: { e: {} } } } } },
  { logic: 'AND', groups: [] },
  { logic: 'XOR', groups: [{ filters: [{ field: 'data.a', operator: 'equals' }] }] },
  { length: 1e9 },
  { toString: null },
  { toJSON: 'x' },
  { constructor: { prototype: {} } },
  { value: 1, persistent: false },
  Array.from({ length: 1_200 }, (_, index) => index),
];

export const hostileValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.double() },
);

/** How many places of an example are changed; most often few, so that the rest of it reaches deep code. */
const changes = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.constant(2) },
  { weight: 1, arbitrary: fc.constant(6) },
);

interface Change {
  /** chooses one of the places of the value */
  at: number;
  kind: 'replace' | 'remove' | 'repeat' | 'rename' | 'wrap';
  value: Json;
}

/** The changes that make another input of a valid one. */
export const mutation: fc.Arbitrary<Change[]> = changes.chain((count) =>
  fc.array(
    fc.record({
      at: fc.nat(),
      kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'repeat', 'rename', 'wrap'),
      value: hostileValue,
    }),
    { minLength: count, maxLength: count },
  ),
);

export function mutated(valid: Json, changed: readonly Change[]): Json {
  const copy = structuredClone(valid);
  for (const { at, kind, value } of changed) {
    const places = placesOf(copy);
    const place = places[at % places.length];
    if (!place) continue;
    const [holder, key] = place;
    const before = holder[key];
    if (kind === 'replace') holder[key] = structuredClone(value);
    else if (kind === 'wrap') holder[key] = [before];
    else if (kind === 'repeat') holder[key] = repeated(before);
    else if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else {
      delete holder[key];
      // A plain assignment to `__proto__` would change the prototype instead.
      const name = typeof value === 'string' ? value.slice(0, 200) : `${key}x`;
      if (kind === 'rename') Object.defineProperty(holder, name, { ...writable, value: before });
    }
  }
  return copy;
}

const writable = { configurable: true, enumerable: true, writable: true };

function repeated(value: Json): Json {
  if (Array.isArray(value)) return [...value, ...value];
  return typeof value === 'object' ? [value, value] : String(value).repeat(2);
}

/** Every place of a value as its holder and its name there. */
function placesOf(value: Json): [Json, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value)
    .slice(0, 50)
    .flatMap((key): [Json, string][] => [[value, key], ...placesOf(value[key])]);
}
