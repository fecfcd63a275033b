import type { CurlRequest } from './curl.ts';

/** Quotes a string for JavaScript. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A request as JavaScript, for Node, browsers, and whatever else has `fetch`. */
export const fetchCode = ({ url, key, body }: CurlRequest): string =>
  [
    `await fetch(${quoted(url)}, {`,
    "  method: 'POST',",
    '  headers: {',
    `    Authorization: ${quoted(`Bearer ${key}`)},`,
    "    'Content-Type': 'application/json',",
    '  },',
    `  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`,
    '});',
  ].join('\n');
