import { fenced } from '../html/code.ts';
import type { Problems } from '../problems.ts';
import type { Sources } from '../sources.ts';
import type { Known } from './known.ts';
import { samplesNamed } from './samples.ts';

export interface Resolving {
  known: Known;
  samples: Sources['samples'];
  /** slugs of all guides */
  guides: ReadonlySet<string>;
  problems: Problems;
}

/** The Markdown of a page with its references replaced by addresses, for its HTML and as its text. */
export interface Resolved {
  /** links lead to pages; a sample is the comment `<!--samples:name-->` */
  forHtml: string;
  /** links lead to texts of pages; samples are fenced blocks */
  asText: string;
}

/** Checks every name that a text uses: what does not exist is a problem. */
export function resolveText(where: string, text: string, resolving: Resolving): Resolved {
  const { known, samples, problems } = resolving;
  const pieces = piecesOf(text);
  const programs = [
    ...pieces.filter(({ fenced }) => fenced).map((piece) => piece.text),
    ...samples.values(),
  ].join('\n');
  const write = (asText: boolean): string =>
    pieces
      .map((piece) => {
        if (piece.fenced) return piece.text;
        for (const [, heads = ''] of piece.text.matchAll(/^\|(.*)\|\n\|[-| :]+\|$/gm))
          if (heads.split('|').some((head) => head.trim() === ''))
            problems.add(where, `the table "|${heads}|" has a column without a name`);
        return piece.text
          .replaceAll(/<!--\s*sample:\s*(\S+)\s*-->/g, (_all, name: string) => {
            const tabs = samplesNamed(samples, name);
            if (tabs.length === 0) problems.add(where, `there is no sample "${name}"`);
            if (!asText) return `<!--samples:${name}-->`;
            return tabs.map((tab) => `${tab.label}:\n\n${fenced(tab)}`).join('\n\n');
          })
          .replaceAll(/(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/g, (all, marks: string, code: string) =>
            marks.length > 1 ? all : `\`${checkedCode(code)}\``,
          )
          .replaceAll(/\]\(([^)\s]+)\)/g, (_all, target: string) => `](${address(target, asText)})`);
      })
      .join('');

  const checkedCode = (code: string): string => {
    const [, kind = '', name = ''] = /^(env|field):(\S+)$/.exec(code) ?? [];
    if (kind === 'env') {
      if (!known.isVariable(name)) problems.add(where, `there is no environment variable "${name}"`);
      return name;
    }
    if (kind === 'field') {
      if (!known.isField(name)) problems.add(where, `there is no field "${name}"`);
      return known.isWebhook(name.split('.').slice(0, 2).join('.')) ||
        known.operation(name.split('.').slice(0, 2).join('.'))
        ? name.split('.').slice(2).join('.')
        : (name.split('.').at(-1) ?? name);
    }
    const [, method = '', path = ''] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(code) ?? [];
    if (method !== '' && !known.isPath(method, path)) problems.add(where, `there is no "${code}" in the API`);
    if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(code) && !known.isConstant(code) && !programs.includes(code))
      problems.add(where, `"${code}" is no code, variable or value that exists`);
    return code;
  };

  const address = (target: string, asText: boolean): string => {
    const ending = asText ? '.md' : '';
    const [, kind = '', name = ''] = /^(operation|webhook|error):(.+)$/.exec(target) ?? [];
    if (kind === 'operation') {
      if (!known.operation(name)) problems.add(where, `there is no operation "${name}"`);
      return `/docs/api/${name}${ending}`;
    }
    if (kind === 'webhook') {
      if (!known.isWebhook(name)) problems.add(where, `there is no webhook type "${name}"`);
      return `/docs/webhooks/${name}${ending}`;
    }
    if (kind === 'error') {
      if (!known.isError(name)) problems.add(where, `there is no error code "${name}"`);
      return `/docs/errors/${name}${ending}`;
    }
    const [, slug = '', anchor = ''] = /^\.\/([^#]+?)(?:\.md)?(#.*)?$/.exec(target) ?? [];
    if (slug !== '') {
      if (!resolving.guides.has(slug)) problems.add(where, `there is no guide "${slug}"`);
      return `/docs/${slug}${ending}${anchor}`;
    }
    if (!/^(https?:\/\/|mailto:|\/|#)/.test(target))
      problems.add(
        where,
        `the link "${target}" is neither ./guide, operation:, webhook:, error:, /path nor https://`,
      );
    return target;
  };
  return { forHtml: write(false), asText: write(true) };
}

/** A text in pieces: fenced blocks, which stay as they are, and what is between them. */
function piecesOf(text: string): { fenced: boolean; text: string }[] {
  const pieces: { fenced: boolean; text: string }[] = [];
  let fence = '';
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    const opens = fence === '' && mark !== '';
    const inside = fence !== '' || opens;
    const last = pieces.at(-1);
    if (last && last.fenced === inside && !opens) last.text += line;
    else pieces.push({ fenced: inside, text: line });
    if (opens) fence = mark;
    else if (fence !== '' && mark.startsWith(fence) && line.trim() === mark) fence = '';
  }
  return pieces;
}
