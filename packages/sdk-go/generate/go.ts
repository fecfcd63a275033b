/** Texts of Go. */

export const banner = '// Code generated from the OpenAPI document by `npm run generate`. DO NOT EDIT.\n\n';

const initialisms = new Map(
  ['api', 'csv', 'dns', 'html', 'http', 'id', 'ip', 'json', 'mx', 'smtp', 'ttl', 'url', 'uuid'].map(
    (word) => [word, word.toUpperCase()] as const,
  ),
);

/** `contactId` is `ContactID`. */
export function exported(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');
  const text = words
    .map((word) => initialisms.get(word.toLowerCase()) ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return /^[0-9]/.test(text) ? `N${text}` : text;
}

/** A string of JSON is one of Go, too. */
export const quoted = (text: string): string => JSON.stringify(text);

/** A comment of these lines, or nothing. */
export const comment = (text: string, indent = ''): string =>
  text
    .trim()
    .split('\n')
    .filter((_, __, lines) => lines[0] !== '')
    .map((line) => `${indent}//${line === '' ? '' : ' '}${line}\n`)
    .join('');
