import { systemNames } from '@postrider/core/content/templates/contract';

/** The fields of events among those of conditions, as emails of workflows name them. Other keys than names need brackets in Liquid. */
export const eventVariables = (fields: readonly string[]): string[] =>
  fields.filter((field) => /^event\.[A-Za-z_][\w-]*$/.test(field));

/** Words of Liquid that are not names of variables. */
const words = new Set([
  'and',
  'or',
  'not',
  'contains',
  'in',
  'true',
  'false',
  'nil',
  'null',
  'blank',
  'empty',
  'limit',
  'offset',
  'reversed',
  'forloop',
]);

const markup = /\{\{-?(?<output>.*?)-?\}\}|\{%-?\s*(?<tag>\w+)(?<content>.*?)-?%\}/gs;
const strings = /"[^"]*"|'[^']*'/g;
const paths = /(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g;
const outputPath = /^\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?!\[)/;
const loop = /^\s*(?<name>\w+)\s+in\s+(?<list>[\w.]+)/;
const assigned = /^\s*(?<name>\w+)\s*=/;

/** An object, the element of a list, or a value with the text that is shown without it. */
interface Place {
  kind: 'value' | 'object' | 'list';
  fallback: string;
  parts: Map<string, Place>;
}

const newPlace = (): Place => ({ kind: 'value', fallback: '', parts: new Map() });

/**
 * The variables that the texts of an email use, each with a sample value: as `data` of a send request that fills every one of them.
 * Variables that every email has are left out.
 */
export function sampleData(sources: readonly string[]): Record<string, unknown> {
  const root = newPlace();
  for (const source of sources) readSource(source, root);
  return Object.fromEntries([...root.parts].map(([name, place]) => [name, sampleOf(name, place)]));
}

function readSource(source: string, root: Place): void {
  /** The names that the source itself assigns; a loop variable is the element of its list. */
  const locals = new Map<string, Place>();
  const placeOf = (path: string): Place | undefined => {
    const [first = '', ...rest] = path.replace(/^data\./, '').split('.');
    if (words.has(first)) return undefined;
    const local = locals.get(first);
    if (local === undefined && (first === 'data' || systemNames.has(first))) return undefined;
    let place = local ?? partOf(root, first);
    for (const name of rest) {
      if (name === 'size' || name === 'first' || name === 'last') return place;
      if (place.kind === 'value') place.kind = 'object';
      place = partOf(place, name);
    }
    return place;
  };

  for (const { groups = {} } of source.matchAll(markup)) {
    const { output, tag, content = '' } = groups;
    if (output !== undefined) {
      const [, path] = outputPath.exec(output) ?? [];
      const place = path === undefined ? undefined : placeOf(path);
      if (place) place.fallback ||= fallbackOf(output);
      continue;
    }
    const each = tag === 'for' ? loop.exec(content)?.groups : undefined;
    if (each?.name !== undefined && each.list !== undefined) {
      const list = placeOf(each.list);
      if (list) list.kind = 'list';
      locals.set(each.name, list ?? newPlace());
    } else if (tag === 'assign' || tag === 'capture') {
      const name = tag === 'assign' ? assigned.exec(content)?.groups?.name : content.trim();
      if (name !== undefined) locals.set(name, newPlace());
    } else if (tag === 'if' || tag === 'elsif' || tag === 'unless' || tag === 'case') {
      for (const [path] of content.replace(strings, '').matchAll(paths)) placeOf(path);
    }
  }
}

function partOf(place: Place, name: string): Place {
  const part = place.parts.get(name) ?? newPlace();
  place.parts.set(name, part);
  return part;
}

/** The text after `??`, or the argument of the filter `default`. */
function fallbackOf(output: string): string {
  const [, text = ''] = /(?:\?\?|\|\s*default\s*:)\s*("[^"]*"|'[^']*'|[^|?]*)/.exec(output) ?? [];
  return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}

function sampleOf(name: string, { kind, fallback, parts }: Place): unknown {
  const entries = [...parts].map(([part, place]) => [part, sampleOf(part, place)] as const);
  const value = entries.length > 0 ? Object.fromEntries(entries) : sampleText(name, fallback);
  return kind === 'list' ? [value] : value;
}

const samples: readonly [RegExp, string | number][] = [
  [/^(first_?)?name$/i, 'Ada'],
  [/^last_?name$/i, 'Lovelace'],
  [/ur[li]$|link$|href$/i, 'https://example.com'],
  [/email$/i, 'reader@example.com'],
  [/price$|amount$|total$/i, '9.50'],
  [/count$|number$|quantity$|seats$/i, 3],
  [/date$|_at$|At$/, '2026-01-31'],
];

const sampleText = (name: string, fallback: string): string | number =>
  samples.find(([pattern]) => pattern.test(name))?.[1] ??
  (fallback || `Example ${name.replaceAll('_', ' ')}`);
