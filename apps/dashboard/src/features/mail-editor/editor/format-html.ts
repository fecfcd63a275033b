import { hasInlineBoxes, keepsSpaces, rendersSame, shieldLiquid } from './format-html.rules.ts';

export type Formatted = { html: string } | { problem: string };

const lineWidth = 100;

/** Formats HTML with Liquid, where that changes nothing of what is rendered. */
export async function formatHtml(source: string): Promise<Formatted> {
  if (keepsSpaces(source)) return { problem: 'a style of it shows every space (white-space)' };
  const shielded = shieldLiquid(source);
  const [{ format }, parser] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/html'),
  ]);
  let html: string;
  try {
    html = await format(shielded.html, {
      parser: 'html',
      plugins: [parser],
      printWidth: lineWidth,
      // Styles and their Liquid stay as they are written.
      embeddedLanguageFormatting: 'off',
      htmlWhitespaceSensitivity: hasInlineBoxes(shielded.html) ? 'strict' : 'css',
    });
  } catch (error) {
    return { problem: problemOf(error, source) };
  }
  if (!rendersSame(shielded.html, html)) return { problem: 'its tags are not closed as a formatter expects' };
  return { html: shielded.restore(html) };
}

/** The parser's message without its excerpt, which shows words in place of Liquid. */
function problemOf(error: unknown, source: string): string {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const place = /\((\d+):\d+\)\s*$/.exec(message);
  const [reason = message] = message.split('. ');
  const isShown = !/lq\d/.test(reason) || source.includes('lq');
  const what = isShown ? reason.replace(/\s*\(\d+:\d+\)$/, '') : 'Its tags do not match';
  return place ? `line ${place[1]}: ${what}` : what;
}
