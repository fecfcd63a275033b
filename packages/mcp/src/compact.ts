type Schema = Record<string, unknown>;

/** Trees of filters and steps are long; a model finds them where it needs them. */
const pointer = { type: 'object', description: 'See find_operation.' };
const deepest = 2;
/** The texts of fields, and of fields inside of these. */
const longestTexts = [72, 40] as const;
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

  function shorten(value: unknown, depth: number, isItem = false): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const rest = orNull(resolved(value as Schema));
    const isDeep = depth > deepest && ('properties' in rest || 'oneOf' in rest || 'anyOf' in rest);
    if (isDeep || (depth === deepest && 'properties' in rest && !isItem)) return pointer;
    const entries = Object.entries(rest).flatMap(([key, part]): [string, unknown][] => {
      if (!kept.has(key)) return [];
      if (key === 'description') return [[key, sentence(String(part), longestTexts[depth > 1 ? 1 : 0])]];
      if (key === 'properties')
        return [
          [
            key,
            Object.fromEntries(
              Object.entries(part as Schema)
                .filter(([, each]) => !isOtherName(each as Schema))
                .map(([name, each]) => [name, shorten(each, depth + 1)]),
            ),
          ],
        ];
      if (key === 'oneOf' || key === 'anyOf')
        return [[key, distinct((part as unknown[]).map((each) => shorten(each, depth + 1)))]];
      return [[key, key === 'items' ? shorten(part, depth + 1, true) : part]];
    });
    return Object.fromEntries(entries);
  }

  function resolved(value: Schema): Schema {
    const { $ref, ...rest } = value;
    if (typeof $ref !== 'string') return value;
    return resolved({ ...definitions[$ref.replace('#/$defs/', '')], ...rest });
  }

  /** One type or null, said by one list of types. */
  function orNull(schema: Schema): Schema {
    const { anyOf, ...rest } = schema;
    if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
    const [given, none] = (anyOf as Schema[]).map(resolved);
    if (none?.['type'] !== 'null' || typeof given?.['type'] !== 'string') return schema;
    const { type, enum: values, ...more } = given;
    return {
      ...more,
      ...rest,
      type: [type, 'null'],
      ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
    };
  }
}

/** One name of a field is enough to write it. */
const isOtherName = ({ description }: Schema): boolean => String(description).startsWith('The same as `');

/** Without objects, and lists of items, that only point to their form, where there is a text, or a list of another form. */
function distinct(alternatives: unknown[]): unknown[] {
  const isOf = (each: unknown, type: string): each is Schema => (each as Schema)['type'] === type;
  const lists = alternatives.filter((each): each is Schema => isOf(each, 'array'));
  const isPointing = ({ items }: Schema): boolean => items === pointer;
  const dropsLists = lists.some((list) => !isPointing(list)) && lists.some(isPointing);
  const dropsObjects = alternatives.some((each) => isOf(each, 'string'));
  return alternatives.filter((each) => {
    if (each === pointer) return !dropsObjects;
    return !(dropsLists && isOf(each, 'array') && isPointing(each));
  });
}

/** The first sentence, or its beginning. */
function sentence(text: string, longest: number): string {
  const first = /^.*?[.:;](?=\s|$)/s.exec(text)?.[0] ?? text;
  return first.length <= longest ? first : `${first.slice(0, longest - 1)}…`;
}
