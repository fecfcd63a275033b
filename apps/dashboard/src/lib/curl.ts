/** Quotes a string for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export interface CurlRequest {
  url: string;
  key: string;
  body: object;
}

const bodyLines = (body: object): string[] => [
  '  -H "Content-Type: application/json" \\',
  `  -d ${quoted(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`,
];

/** A request as a `curl` command that can be pasted into a terminal. */
export const curl = ({ url, key, body }: CurlRequest): string =>
  [`curl -s ${url} \\`, `  -H "Authorization: Bearer ${key}" \\`, ...bodyLines(body)].join('\n');

/** The same with any method, for a URL that was not written here; without a body for what has none. */
export function curlOf({
  method,
  url,
  key,
  body,
}: Omit<CurlRequest, 'body'> & { method: string; body?: object }): string {
  const isUsual = method === (body ? 'POST' : 'GET');
  const lines = [
    `curl -s${isUsual ? '' : ` -X ${method}`} "${url}" \\`,
    `  -H "Authorization: Bearer ${key}"${body ? ' \\' : ''}`,
  ];
  return [...lines, ...(body ? bodyLines(body) : [])].join('\n');
}
