const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

/** For an attribute in double quotes. Braces would begin a variable of the template. */
const attribute = (text: string): string =>
  text
    .replace(/[&"<>]/g, (character) => escapes[character] ?? character)
    .replaceAll('{', '&#123;')
    .replaceAll('}', '&#125;');

/** The width of the column in which most emails are set, in pixels. */
const columnWidth = 600;

/** An image for the body of an email. Outlook ignores styles for the width, other programs the attribute on narrow screens. */
export function imageHtml({ url, alt, width }: { url: string; alt: string; width: number | null }): string {
  const size = width === null ? '' : ` width="${Math.min(width, columnWidth)}"`;
  return `<img src="${attribute(url)}" alt="${attribute(alt)}"${size} style="max-width: 100%; height: auto; border: 0;">`;
}
