/** Text without a font of its own, as most mail programs show it; a browser alone would take a serif font. */
const defaults = '<style>html{font-family:Arial,Helvetica,sans-serif}</style>';

const head = /<head\b[^>]*>/i;
const doctype = /^\s*<!doctype\b[^>]*>/i;

/** An email for a frame of the browser: its own styles take precedence over these defaults. */
export function withMailDefaults(html: string): string {
  if (head.test(html)) return html.replace(head, (tag) => tag + defaults);
  return doctype.test(html) ? html.replace(doctype, (tag) => tag + defaults) : defaults + html;
}
