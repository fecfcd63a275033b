type Schema = Record<string, unknown>;

/** Trees of filters and steps are long; a model finds them where it needs them. */
const pointer = { type: 'object', description: 'See find_operation for its form.' };
const deepest = 2;
const longestText = 90;
/** What a model needs to write a value; the API checks the rest and says what is wrong. */
const kept = new Set([
  'type',
  'enum',
  'properties',
  'required',
  'items',
  'description',
  'oneOf',
  'anyOf',
  'default',
]);

/** A schema as `tools/list` shows it: short texts, and nothing that lies deep. */
export function compact(schema: Schema): { type: 'object'; [keyword: string]: unknown } {
  const definitions = (schema['$defs'] ?? {}) as Record<string, Schema>;
  return { ...(shorten(schema, 0) as Schema), type: 'object' };

  function shorten(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { $ref, ...rest } = value as Schema;
    if (typeof $ref === 'string') {
      const target = definitions[$ref.replace('#/$defs/', '')] ?? {};
      return shorten({ ...target, ...rest }, depth);
    }
    if (depth > deepest && ('properties' in rest || 'oneOf' in rest || 'anyOf' in rest)) return pointer;
    const entries = Object.entries(rest).flatMap(([key, part]): [string, unknown][] => {
      if (!kept.has(key)) return [];
      if (key === 'description') return [[key, sentence(String(part))]];
      if (key === 'properties')
        return [
          [
            key,
            Object.fromEntries(
              Object.entries(part as Schema).map(([name, each]) => [name, shorten(each, depth + 1)]),
            ),
          ],
        ];
      if (key === 'oneOf' || key === 'anyOf')
        return [[key, (part as unknown[]).map((each) => shorten(each, depth + 1))]];
      return [[key, key === 'items' ? shorten(part, depth + 1) : part]];
    });
    return Object.fromEntries(entries);
  }
}

/** The first sentence, or its beginning. */
function sentence(text: string): string {
  const first = /^.*?[.:;](?=\s|$)/s.exec(text)?.[0] ?? text;
  return first.length <= longestText ? first : `${first.slice(0, longestText - 1)}…`;
}
