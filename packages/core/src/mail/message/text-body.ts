import { MAX_SOURCE_LENGTH } from '../../content/templates/language/index.ts';
import { mapSource } from './map-source.ts';

/** The templates from which the two parts of an email are made; both are HTML. */
export interface BodySources {
  readonly html: string;
  /** of the text part */
  readonly text: string;
}

const TAG_OR_ENTITY = /<[a-z/!?]|&(?:#\d+|#x[\da-f]+|[a-z][a-z0-9]*);/i;
/** Its output is HTML that the source does not show. */
const RAW_OUTPUT = /\|\s*raw\b/;
const LINE_END = /\r\n?|\n/;
const BREAKS = /(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))*/g;
/** Room for the preheader, which becomes part of the template. */
const ROOM = 100_000;

/**
 * How a body becomes the two parts. One without any tag, comment or entity that has several lines was written as text: blank lines separate
 * its paragraphs in the HTML, and the text part keeps its lines as they are.
 */
export function bodySources(body: string, literal = false): BodySources {
  const written = body.trim();
  if (!LINE_END.test(written) || TAG_OR_ENTITY.test(written) || RAW_OUTPUT.test(written))
    return { html: body, text: body };
  const html = `<p>${mapTexts(written, literal, asParagraphs)}</p>`;
  const text = `<pre>${mapTexts(written, literal, escapeText)}</pre>`;
  // A text that would become too long by its tags stays what it is.
  if (Math.max(html.length, text.length) > MAX_SOURCE_LENGTH - ROOM) return { html: body, text: body };
  return { html, text };
}

function mapTexts(source: string, literal: boolean, write: (text: string) => string): string {
  if (literal) return write(source);
  let trimsNext = false;
  return mapSource(source, {
    literal: (text, next) => {
      // White space that a tag removes must be removed before it becomes a line end in HTML.
      const started = trimsNext ? text.trimStart() : text;
      return write(/^\{[{%]-/.test(next) ? started.trimEnd() : started);
    },
    tag: (tag) => {
      trimsNext = /-[}%]\}$/.test(tag);
      return tag;
    },
  });
}

/** Quotation marks mean nothing between tags. */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function asParagraphs(text: string): string {
  return escapeText(text).replace(BREAKS, (breaks) =>
    /^(?:\r\n|\r|\n)$/.test(breaks) ? '<br>\n' : '</p>\n<p>',
  );
}
