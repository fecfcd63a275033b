export type MailScheme = 'light' | 'dark';

const styles = /(<style\b[^>]*>)([\s\S]*?)(<\/style\s*>)/gi;
const mediaAttributes = /\bmedia\s*=\s*("[^"]*"|'[^']*')/gi;
const schemeMeta =
  /(<meta\b[^>]*\bname\s*=\s*["']?color-scheme["']?[^>]*\bcontent\s*=\s*)("[^"]*"|'[^']*')/gi;
const question = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi;
const declaration = /(^|[{;\s])(color-scheme\s*:)([^;}]*)/gi;

/** Whether an email has styles of its own for dark clients, or says that it can be shown dark. */
export const hasDarkStyles = (html: string): boolean => inScheme(html, 'dark') !== inScheme(html, 'light');

/**
 * An email as a client with the scheme shows it that follows the email's own styles. The scheme of the system cannot be
 * changed for a frame, so its media queries are answered here, and the schemes that it supports are narrowed down to one.
 */
export function inScheme(html: string, scheme: MailScheme): string {
  const answer = (text: string) =>
    text.replace(question, (_query, asked: string) =>
      // Every window has a width, and none is as wide as nothing.
      asked.toLowerCase() === scheme ? '(min-width: 0)' : '(max-width: 0)',
    );
  const narrow = (supported: string) => (/\bdark\b/i.test(supported) ? scheme : 'light');
  return html
    .replace(
      styles,
      (_element, open: string, css: string, close: string) =>
        open +
        answer(css).replace(
          declaration,
          (_rule, before: string, name: string, supported: string) => `${before}${name} ${narrow(supported)}`,
        ) +
        close,
    )
    .replace(mediaAttributes, answer)
    .replace(schemeMeta, (_meta, head: string, supported: string) => `${head}"${narrow(supported)}"`);
}
