import { escapeHtml } from '@postrider/core/templates/language';

/** Text that is HTML already. Everything else that goes into `html` is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Html | readonly Html[] | null | false;

/** HTML with values put in: strings escaped (also for quoted attributes), HTML as it is, null and false as nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    strings.map((text, index) => text + (index < parts.length ? write(parts[index]) : '')).join(''),
  );
}

/** A sentence of ours with `{names}` replaced by HTML; its own words are escaped. */
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
