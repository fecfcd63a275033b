const tags = /(\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\})/;

/** Escapes text for HTML, its attributes included, but leaves Liquid as it is, which is not HTML. */
export const escapeText = (text: string): string =>
  text
    .split(tags)
    .map((part, index) => (index % 2 === 1 ? part : escapeHtml(part)))
    .join('');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** What a variable chip holds: `name ?? there`, without what would end its tag. */
export const cleanExpression = (expression: string): string =>
  expression
    .replace(/[{}%\r\n]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** `name ?? there`; without a fallback only the name. */
export const expressionOf = (name: string, fallback: string): string =>
  cleanExpression(fallback.trim() === '' ? name : `${name} ?? ${fallback}`);

/** The parts of a variable chip. */
export function partsOf(expression: string): { name: string; fallback: string } {
  const at = expression.indexOf('??');
  if (at < 0) return { name: expression.trim(), fallback: '' };
  return { name: expression.slice(0, at).trim(), fallback: expression.slice(at + 2).trim() };
}
