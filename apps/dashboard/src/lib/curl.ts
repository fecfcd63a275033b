/** Quotes a string for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export interface CurlRequest {
  url: string;
  key: string;
  body: object;
}

/** A request as a `curl` command that can be pasted into a terminal. */
export const curl = ({ url, key, body }: CurlRequest): string =>
  [
    `curl -s ${url} \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d ${quoted(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`,
  ].join('\n');
