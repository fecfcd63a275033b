import { type Context, filters as standardFilters } from 'liquidjs';
import { asRenderContext } from './render-context.ts';
import { escapeHtml, MarkedHtml, toPlainText, withoutMark } from './values.ts';

type Handler = (this: { context: Context }, value: unknown, ...args: unknown[]) => unknown;

const ENTITY = /&(?:amp|lt|gt|quot|apos|#34|#39);/g;
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#34;': '"',
  '&#39;': "'",
};

/**
 * A filter that makes HTML. Text parts have no HTML, so it changes nothing there. Within an expression whose results are
 * compared as keys it gives the bare text, because two marked values are never the same key.
 */
function maker(toHtml: (value: unknown) => string): Handler {
  return function make(value) {
    const ctx = asRenderContext(this.context);
    if (ctx.mode === 'text') return value;
    const html = toHtml(value);
    return ctx.marksHtml ? new MarkedHtml(html) : html;
  };
}

/** A filter that leaves marked HTML well-formed, unless it is told which characters to remove. */
function keeper(name: 'strip' | 'lstrip' | 'rstrip' | 'strip_newlines'): Handler {
  const standard = standardFilters[name] as Handler;
  return function keep(value, ...args) {
    const result = standard.call(this, withoutMark(value), ...args.map(withoutMark));
    return value instanceof MarkedHtml && args.length === 0 ? new MarkedHtml(String(result)) : result;
  };
}

/** A filter that joins two texts; what it adds to marked HTML is escaped unless it is marked too. */
function joiner(name: 'append' | 'prepend'): Handler {
  const standard = standardFilters[name] as Handler;
  return function join(value, ...args) {
    if (!(value instanceof MarkedHtml) || args.length !== 1) {
      return standard.call(this, withoutMark(value), ...args.map(withoutMark));
    }
    const html = value.valueOf();
    const added = asHtml(args[0]);
    return new MarkedHtml(name === 'append' ? html + added : added + html);
  };
}

const asHtml = (value: unknown): string =>
  value instanceof MarkedHtml ? value.valueOf() : escapeHtml(toPlainText(value));

/** The filters that make marked HTML or keep its mark; every other filter gets the bare text. */
export const htmlFilters: ReadonlyMap<string, Handler> = new Map([
  ['escape', maker((value) => escapeHtml(toPlainText(withoutMark(value))))],
  [
    'escape_once',
    maker((value) =>
      escapeHtml(toPlainText(withoutMark(value)).replace(ENTITY, (entity) => ENTITIES[entity] ?? entity)),
    ),
  ],
  ['newline_to_br', maker((value) => asHtml(value).replace(/\r?\n/g, '<br />\n'))],
  ['strip', keeper('strip')],
  ['lstrip', keeper('lstrip')],
  ['rstrip', keeper('rstrip')],
  ['strip_newlines', keeper('strip_newlines')],
  ['append', joiner('append')],
  ['prepend', joiner('prepend')],
]);
