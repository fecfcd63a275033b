import { namesDuring } from './noted-names.ts';
import { parseTemplate } from './parse-template.ts';
import type { Path } from './paths.ts';

/**
 * The keys of contact data that a template may read: those that its outputs, tags and filters name. Names of its own, such as that of a
 * loop, are among them.
 *
 * @throws {TemplateSyntaxError} with the place of the mistake.
 */
export function keysNamedIn(source: string, output: 'html' | 'text'): Set<string> {
  const keys = new Set<string>();
  for (const path of namesDuring(() => parseTemplate(source, output)))
    for (const key of keysOf(path)) keys.add(key);
  return keys;
}

/** The whole of a name and its beginning, among the variables and in `data`: keys may have dots. */
function keysOf({ segments, names }: Path): string[] {
  const parts = segments.map(String);
  const [first = '', second] = parts;
  const wholes = names ?? [parts.join('.')];
  if (first !== 'data') return [first, ...wholes];
  const rests = wholes.flatMap((whole) =>
    second === undefined ? [] : whole.slice(whole.indexOf('.') + 1).trim(),
  );
  return [...wholes, ...rests, ...(second === undefined ? [] : [second])];
}
