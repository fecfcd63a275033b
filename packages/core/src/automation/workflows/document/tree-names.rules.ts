/** The names of segments and templates in filter trees: ids in a definition, `segment:<slug>` and `template:<alias>` in a document. */

export interface NamedInTree {
  kind: 'segment' | 'template';
  /** the id or the name */
  name: string;
  /** its place below that of the value */
  path: string;
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const prefixes = { segment: 'segment:', template: 'template:' } as const;

/** How a name is written in a document. */
export const nameInDocument = (kind: NamedInTree['kind'], name: string): string => `${prefixes[kind]}${name}`;

/**
 * A configuration with other names in its trees. The configuration may be one of a request, which nobody has read yet; its depth is that of a
 * body.
 *
 * @param from how names are written: as ids in filters, or as in documents
 * @param replace what is written in the place of a name
 */
export function withNames(
  config: unknown,
  from: 'ids' | 'document',
  replace: (named: NamedInTree) => string,
): unknown {
  const visit = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each, index) => visit(each, `${path}.${index}`));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
      const at = `${path}.${key}`;
      if (key === 'field' && typeof each === 'string') return [key, field(each, at)];
      // Properties of an event have names of their own.
      if (key === 'where' && Array.isArray(each) && isOfEmail(value['field']))
        return [key, each.map((condition, index) => where(condition, `${at}.${index}`))];
      return [key, visit(each, at)];
    });
    return Object.fromEntries(entries);
  };
  const field = (text: string, path: string): string => {
    const prefix = from === 'ids' ? 'segment.' : prefixes.segment;
    return text.startsWith(prefix)
      ? replace({ kind: 'segment', name: text.slice(prefix.length), path })
      : text;
  };
  const where = (condition: unknown, path: string): unknown => {
    if (!isObject(condition) || condition['property'] !== 'templateId') return condition;
    const { value } = condition;
    const replaced = Array.isArray(value)
      ? value.map((each: unknown, index) => template(each, `${path}.value.${index}`))
      : template(value, `${path}.value`);
    return { ...condition, value: replaced };
  };
  const template = (value: unknown, path: string): unknown => {
    if (typeof value !== 'string') return value;
    if (from === 'ids') return replace({ kind: 'template', name: value, path });
    return value.startsWith(prefixes.template)
      ? replace({ kind: 'template', name: value.slice(prefixes.template.length), path })
      : value;
  };
  return visit(config, 'config');
}

const isOfEmail = (field: unknown): boolean => typeof field === 'string' && field.startsWith('email.');

/** The names in the trees of configurations, each once. */
export function namesIn(
  configs: readonly unknown[],
  from: 'ids' | 'document',
): Map<NamedInTree['kind'], string[]> {
  const found = { segment: new Set<string>(), template: new Set<string>() };
  for (const config of configs)
    withNames(config, from, ({ kind, name }) => {
      found[kind].add(name);
      return name;
    });
  return new Map([
    ['segment', [...found.segment]],
    ['template', [...found.template]],
  ]);
}
