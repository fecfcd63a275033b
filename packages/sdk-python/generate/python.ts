/** Texts of Python. */

export const banner = '# Generated from the OpenAPI document by `npm run generate`. Do not edit.\n';

/** `contacts.listFields` is `contacts_list_fields`; a keyword gets an underscore. */
export function snake(name: string): string {
  const text = name
    .replace(/[.]/g, '_')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace(/_+/g, '_');
  return isKeyword(text) ? `${text}_` : text;
}

export const isKeyword = (name: string): boolean => keywords.has(name);

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** A string of JSON is one of Python, too. */
export const quoted = (text: string): string => JSON.stringify(text);

/** A docstring of these lines, or nothing. */
export function docstring(text: string, indent: string): string {
  const [first = '', ...others] = text.trim().replaceAll('\\', '\\\\').replaceAll('"""', "'''").split('\n');
  if (first === '') return '';
  // A quotation mark at the end would end the docstring too early.
  if (others.length === 0) return `${indent}"""${first}${first.endsWith('"') ? ' ' : ''}"""\n`;
  const lines = others.map((line) => (line === '' ? '' : `${indent}${line}`));
  return `${indent}"""${first}\n${lines.join('\n')}\n${indent}"""\n`;
}
