import { Drop } from 'liquidjs';

/** How values are written: into HTML, into HTML that becomes plain text (lists stay on one line), or as text. */
export type OutputMode = 'html' | 'html-inline' | 'text';

const MAX_OBJECT_VALUES = 100_000;
const NEEDS_ESCAPE = /[&<>"']/;
const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes `& < > " '`, so that a value is safe as text and within a quoted attribute. */
export function escapeHtml(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char) : text;
}

/**
 * HTML that a filter made of a value and that an output writes as it is: escaped text and line breaks, nothing else. Only
 * templates make it, as values of recipients are JSON. Whatever does not know it takes it for its text, without the mark.
 */
export class MarkedHtml extends Drop {
  readonly #html: string;

  constructor(html: string) {
    super();
    this.#html = html;
  }

  override valueOf(): string {
    return this.#html;
  }

  toJSON(): string {
    return this.#html;
  }
}

/** Whether a reader would see a gap; `0`, `false` and an empty list are values. */
export const isNone = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The value, marked HTML as its text. */
export const withoutMark = (value: unknown): unknown =>
  value instanceof MarkedHtml ? value.valueOf() : value;

/** A value as an output writes it in the given mode; a value nested too deeply renders as nothing. */
export function formatValue(value: unknown, mode: OutputMode): string {
  if (value instanceof MarkedHtml) return value.valueOf();
  if (typeof value === 'string') return mode === 'text' ? value : escapeHtml(value);
  try {
    return formatOther(value, mode);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

function formatOther(value: unknown, mode: OutputMode): string {
  if (!Array.isArray(value)) return mode === 'text' ? toText(value) : escapeHtml(toText(value));
  if (mode === 'text') return value.map(toText).join(', ');
  if (mode === 'html-inline') return escapeHtml(value.map(toText).join(', '));
  return value.map((item) => `<li>${escapeHtml(toText(item))}</li>`).join('\n');
}

/** A value as the `raw` filter writes it: unescaped, an array's items joined by `,`. */
export function formatRaw(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(formatRaw).join(',') : toText(value);
}

/** A value as filters of text read it: an array's items one after the other. */
export function toPlainText(value: unknown): string {
  return Array.isArray(value) ? value.map(toPlainText).join('') : toText(value);
}

/** Missing and null render as nothing, `0` and `false` as themselves, objects as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(toText).join(', ');
  if (value instanceof Drop) return toText(value.valueOf() === value ? '' : value.valueOf());
  return typeof value === 'object' ? objectToText(value) : String(value);
}

const IN_SCRIPT = /[<>&\u2028\u2029]/g;

/** JSON as it may be written into a script: nothing in it can end the script or begin a comment. */
export function escapeJson(json: string): string {
  return json.replace(IN_SCRIPT, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Filters can build objects that contain each other many times over, whose JSON would be unbounded. */
function objectToText(value: object): string {
  let left = MAX_OBJECT_VALUES;
  const text = JSON.stringify(value, (_key, inner: unknown) => {
    if (--left < 0) throw new RangeError('The object is too large to be written out.');
    return inner;
  });
  return text ?? '';
}
