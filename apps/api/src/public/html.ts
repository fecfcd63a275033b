import { escapeHtml } from '@postrider/core/content/templates/language';

/** Text that is already HTML. All other values in `html` are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Html | readonly Html[] | null | false;

/** HTML with interpolated values: strings are escaped (also for quoted attributes), HTML is unchanged, null and false are empty. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    strings.map((text, index) => text + (index < parts.length ? write(parts[index]) : '')).join(''),
  );
}

/** A sentence with `{names}` replaced by HTML; the rest of it is escaped. */
export function fill(sentence: string, values: Record<string, Html>): Html {
  const pieces = sentence.split(/\{(\w+)\}/);
  return new Html(
    pieces
      .map((piece, index) => (index % 2 === 0 ? escapeHtml(piece) : (values[piece]?.text ?? '')))
      .join(''),
  );
}

function write(part: Part | undefined): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  return part instanceof Html ? part.text : part.map(({ text }) => text).join('');
}
