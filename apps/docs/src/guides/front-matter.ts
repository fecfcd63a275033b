import type { Problems } from '../problems.ts';

/** Parts of the guides in the order of the navigation. */
export const parts = ['Start', 'Send', 'Hear back', 'People', 'Build', 'Move'] as const;
export type Part = (typeof parts)[number];

export interface Guide {
  slug: string;
  title: string;
  part: Part;
  order: number;
  description: string;
  /** the Markdown after the front matter */
  text: string;
}

const block = /^---\n(.*?)\n---\n/s;

/** A guide with what its front matter says, or null with the problem. */
export function readGuide(slug: string, source: string, problems: Problems): Guide | null {
  const where = `docs/guides/${slug}.md`;
  const text = source.replaceAll('\r\n', '\n');
  const found = block.exec(text);
  const given = new Map(
    (found?.[1] ?? '').split('\n').flatMap((line): [string, string][] => {
      const at = line.indexOf(':');
      if (at < 0) return [];
      return [[line.slice(0, at).trim(), unquoted(line.slice(at + 1).trim())]];
    }),
  );
  const value = (name: string): string => {
    const stated = given.get(name) ?? '';
    if (stated === '') problems.add(where, `the front matter has no "${name}"`);
    return stated;
  };
  const title = value('title');
  const stated = value('part');
  const order = Number(value('order'));
  const description = value('description');
  const part = parts.find((each) => each === stated);
  if (stated !== '' && part === undefined)
    problems.add(where, `the part "${stated}" is none of ${parts.join(', ')}`);
  if (!Number.isFinite(order)) problems.add(where, 'the order is no number');
  if (reservedSlugs.includes(slug)) problems.add(where, `the name "${slug}" is taken by a page of the site`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))
    problems.add(where, 'the name of the file has other characters than a-z, 0-9 and single hyphens');
  if (part === undefined || title === '' || !Number.isFinite(order)) return null;
  return { slug, title, part, order, description, text: text.slice(found?.[0].length ?? 0) };
}

const reservedSlugs = ['api', 'console', 'index', 'assets', 'search'];

const unquoted = (text: string): string => /^(['"])(.*)\1$/.exec(text)?.[2] ?? text;

/** By part and order. */
export const inOrder = (a: Guide, b: Guide): number =>
  parts.indexOf(a.part) - parts.indexOf(b.part) || a.order - b.order || a.title.localeCompare(b.title);
