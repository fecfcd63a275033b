import { escapeHtml } from '../../content/templates/language/index.ts';

const HTML_ELEMENT = /<html[\s>]/i;
const BODY_ELEMENT = /<body[\s>]/i;
const BODY_END = /<\/body\s*>/gi;

/** What the wrapper of a fragment states: its language (BCP 47) and its title. */
export interface DocumentInfo {
  readonly language: string;
  readonly title: string;
}

/** Wraps an HTML fragment in a document; a complete document stays unchanged. */
export function asDocument(html: string, { language, title }: DocumentInfo): string {
  if (HTML_ELEMENT.test(html)) return html;
  const head = `<!DOCTYPE html>\n<html lang="${escapeHtml(language)}">\n<head>\n<meta charset="utf-8">\n<title>${escapeHtml(title)}</title>\n</head>\n`;
  if (BODY_ELEMENT.test(html)) return `${head}${html}\n</html>\n`;
  return `${head}<body>\n${html}\n</body>\n</html>\n`;
}

/** The index for content appended to the body: before the last `</body>`, else at the end. */
export function bodyEnd(html: string): number {
  let end = html.length;
  for (const match of html.matchAll(BODY_END)) end = match.index;
  return end;
}

export function insertAt(html: string, at: number, addition: string): string {
  return html.slice(0, at) + addition + html.slice(at);
}
