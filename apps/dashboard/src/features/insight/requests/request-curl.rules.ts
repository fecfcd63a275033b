import type { RequestEntry } from '../../../lib/api.ts';
import { curlOf } from '../../../lib/curl.ts';

type Shown = Record<string, unknown>;

const isObject = (value: unknown): value is Shown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values that the log does not keep, as what has to be filled in. */
function filledIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filledIn);
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const [only] = names;
  if (names.length === 1 && only === 'length') return `<text of ${value['length']} characters>`;
  if (names.length === 1 && only === 'type') return `<${value['type']}>`;
  if ('size' in value && names.every((name) => name === 'size' || name === 'type'))
    return {
      filename: '<name>',
      content: '<base64>',
      ...(typeof value['type'] === 'string' && { contentType: value['type'] }),
    };
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filledIn(item)]));
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * The request as a `curl` command, with what the log does not keep in angle brackets.
 *
 * @returns null for a request whose form the log does not keep: GraphQL and SMTP
 */
export function requestCurl(
  { door, method, path, request }: Pick<RequestEntry, 'door' | 'method' | 'path' | 'request'>,
  { apiUrl, key }: { apiUrl: string; key: string },
): string | null {
  if (door !== 'REST' && door !== 'MCP') return null;
  const rest: Shown = { ...(request ?? {}) };
  const filledPath = path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    const value = rest[name] === undefined ? `<${name}>` : asText(filledIn(rest[name]));
    delete rest[name];
    return value.startsWith('<') ? value : encodeURIComponent(value);
  });
  const given = Object.entries(rest).filter(([, value]) => value !== null);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const query = new URLSearchParams(
    hasBody ? [] : given.map(([name, value]) => [name, asText(filledIn(value))]),
  );
  return curlOf({
    method,
    url: `${apiUrl}${filledPath}${query.size > 0 ? `?${query}` : ''}`,
    key,
    ...(hasBody && given.length > 0 && { body: filledIn(Object.fromEntries(given)) as object }),
  });
}
