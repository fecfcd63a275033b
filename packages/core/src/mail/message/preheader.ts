import { escapeHtml } from '../../content/templates/language/index.ts';
import { mapSource } from './map-source.ts';

/** Marks the element of the preheader, for tools that read the HTML. */
const PREHEADER_ATTRIBUTE = 'data-preheader';
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
    : mapSource(preheader, { literal: (words) => escapeHtml(words), tag: (tag) => tag });
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
