/** A JSON schema of a contract, read as plain data. */
export type Schema = Record<string, unknown>;

/** `input`: what callers send must still be accepted. `output`: what they receive must still be what they expect. */
export type Side = 'input' | 'output';

export type Resolve = (schema: Schema) => Schema;

interface Comparison {
  side: Side;
  before: Resolve;
  after: Resolve;
  seen: Map<Schema, Set<Schema>>;
}

/** Limits of an input, and the direction in which a change of them refuses what was accepted. */
const limits: readonly [keyword: string, tightens: 'up' | 'down'][] = [
  ['minimum', 'up'],
  ['minLength', 'up'],
  ['minItems', 'up'],
  ['maximum', 'down'],
  ['maxLength', 'down'],
  ['maxItems', 'down'],
];

/** The changes from one schema to the other that break a caller, as sentences; `place` is a dot path, empty for the whole. */
export function schemaChanges(
  before: Schema,
  after: Schema,
  resolvers: { side: Side; before: Resolve; after: Resolve },
  place = '',
): string[] {
  return compare(before, after, { ...resolvers, seen: new Map() }, place);
}

function compare(before: Schema, after: Schema, how: Comparison, place: string): string[] {
  const [older, newer] = [variantsOf(before, how.before), variantsOf(after, how.after)];
  // Callers keep sending what was accepted, and must be able to read whatever may now arrive.
  const [wanted, offered] = how.side === 'input' ? [older, newer] : [newer, older];
  return wanted.flatMap((each) => {
    const attempts = offered.map((other) =>
      how.side === 'input'
        ? compareVariant(each, other, how, place)
        : compareVariant(other, each, how, place),
    );
    return attempts.reduce((best, found) => (found.length < best.length ? found : best), attempts[0] ?? []);
  });
}

function compareVariant(before: Schema, after: Schema, how: Comparison, place: string): string[] {
  const seen = how.seen.get(before) ?? new Set();
  if (seen.has(after)) return [];
  how.seen.set(before, seen.add(after));
  const [from, to] = [typeOf(before), typeOf(after)];
  if (how.side === 'input' ? to === 'any' : from === 'any') return [];
  if (from !== to && !widens(how.side, from, to)) return [`${nameOf(place)} changed from ${from} to ${to}`];
  return [
    ...(how.side === 'input' ? restrictions(before, after, place) : []),
    ...(to === 'object' ? compareFields(before, after, how, place) : []),
    ...(to === 'array'
      ? compare((before['items'] ?? {}) as Schema, (after['items'] ?? {}) as Schema, how, join(place, '[]'))
      : []),
  ];
}

/** Every integer is a number. */
const widens = (side: Side, from: string, to: string): boolean =>
  side === 'input' ? from === 'integer' && to === 'number' : from === 'number' && to === 'integer';

function restrictions(before: Schema, after: Schema, place: string): string[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const refused = now && (old ? old.filter((value) => !now.includes(value)) : ['other values']);
  const tightened = limits.filter(([keyword, direction]) => {
    const [was, is] = [before[keyword], after[keyword]];
    if (typeof is !== 'number') return false;
    if (typeof was !== 'number') return !(direction === 'up' && is <= 0);
    return direction === 'up' ? is > was : is < was;
  });
  return [
    ...(refused ?? []).map((value) => `${nameOf(place)} no longer accepts ${value}`),
    ...tightened.map(([keyword]) => `${nameOf(place)} has a tighter ${keyword}, ${after[keyword]}`),
  ];
}

function compareFields(before: Schema, after: Schema, how: Comparison, place: string): string[] {
  const fields = (schema: Schema) => (schema['properties'] ?? {}) as Record<string, Schema>;
  const required = (schema: Schema) => new Set((schema['required'] ?? []) as string[]);
  const [old, now] = [fields(before), fields(after)];
  const [needed, needs] = [required(before), required(after)];
  const changes = Object.entries(old).flatMap(([name, schema]) => {
    const at = join(place, name);
    const next = now[name];
    if (next === undefined) return [`${at} was removed`];
    const optional = how.side === 'output' && needed.has(name) && !needs.has(name);
    return [...(optional ? [`${at} may now be absent`] : []), ...compare(schema, next, how, at)];
  });
  if (how.side === 'output') return changes;
  const demanded = [...needs].filter((name) => !needed.has(name));
  return [...changes, ...demanded.map((name) => `${join(place, name)} is now required`)];
}

/** The alternatives of a schema: of `anyOf`, `oneOf`, and of a list of types. */
function variantsOf(schema: Schema, resolve: Resolve): Schema[] {
  const found = resolve(schema);
  const branches = (found['anyOf'] ?? found['oneOf']) as Schema[] | undefined;
  if (branches) return branches.flatMap((branch) => variantsOf(branch, resolve));
  const { type } = found;
  if (!Array.isArray(type)) return [found];
  // Limits are about the other type.
  return type.map((one: unknown) => (one === 'null' ? { type: one } : { ...found, type: one }));
}

function typeOf(schema: Schema): string {
  if (typeof schema['type'] === 'string') return schema['type'];
  const [value] = valuesOf(schema) ?? [];
  return value === undefined ? 'any' : typeof value;
}

const valuesOf = (schema: Schema): unknown[] | undefined =>
  'const' in schema ? [schema['const']] : (schema['enum'] as unknown[] | undefined);

const join = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);
const nameOf = (place: string): string => place || 'it';
