import { escapeHtml } from '../../content/templates/language/index.ts';
import { PREHEADER_ATTRIBUTE } from './plain-text.ts';

const HIDDEN =
  'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all';
/** Invisible characters that keep the text of the body out of the preview line in the inbox. */
const PADDING = '&#847;&zwnj;&nbsp;'.repeat(100);

interface Texts {
  readonly body: string;
  readonly preheader: string | null;
  readonly literal?: boolean;
}

/** Inserts the hidden preheader at the start of the body's template, so that it is filled in and planned with the body. */
export function withPreheader({ body, preheader, literal = false }: Texts): string {
  if (preheader === null || preheader === '') return body;
  const text = literal
    ? escapeHtml(preheader)
    : mapSource(preheader, { literal: escapeHtml, tag: (tag) => tag });
  const hidden = `<div ${PREHEADER_ATTRIBUTE} style="${HIDDEN}">${text}${PADDING}</div>`;
  const at = bodyStart(literal ? body : withoutTags(body));
  return body.slice(0, at) + hidden + body.slice(at);
}

/** Where the content of the body begins: after `<body>`, else after the head, else after `<html>`, else at the start. */
function bodyStart(html: string): number {
  for (const element of [/<body[\s>]/i, /<\/head[\s>]/i, /<html[\s>]/i]) {
    const start = html.search(element);
    const end = start < 0 ? -1 : html.indexOf('>', start);
    if (end >= 0) return end + 1;
  }
  return 0;
}

/** Tags of the template language are not HTML. */
const withoutTags = (source: string): string =>
  mapSource(source, { literal: (text) => text, tag: (tag) => ' '.repeat(tag.length) });

/** Rewrites a template's literal text and its tags, in one pass. */
function mapSource(
  source: string,
  write: { literal(text: string): string; tag(text: string): string },
): string {
  let result = '';
  let at = 0;
  for (;;) {
    const start = nextTag(source, at);
    const end = start < 0 ? -1 : source.indexOf(source.startsWith('{{', start) ? '}}' : '%}', start + 2);
    if (end < 0) return result + write.literal(source.slice(at));
    result += write.literal(source.slice(at, start)) + write.tag(source.slice(start, end + 2));
    at = end + 2;
  }
}

function nextTag(source: string, from: number): number {
  for (let at = source.indexOf('{', from); at >= 0; at = source.indexOf('{', at + 1)) {
    const next = source.charAt(at + 1);
    if (next === '{' || next === '%') return at;
  }
  return -1;
}
