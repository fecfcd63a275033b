import type { Connection } from './connection.ts';
import { PostriderError } from './errors.ts';
import type { Operation } from './operation.ts';

/** The request of an operation: parameters from the input into path and query, the rest into the body. */
export function requestOf(
  { apiKey, baseUrl }: Connection,
  operation: Operation,
  input: object,
): { url: string; init: RequestInit & { headers: Record<string, string> } } {
  const rest: Record<string, unknown> = { ...input };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    // An empty segment or a dot would address another path.
    if (typeof value !== 'string' || /^[.]{0,2}$/.test(value))
      throw new PostriderError(`${name} must be a non-empty string`);
    return encodeURIComponent(value);
  });
  const headers: Record<string, string> = { authorization: `Bearer ${apiKey}` };
  const init: RequestInit & { headers: Record<string, string> } = { method: operation.method, headers };
  const query = new URLSearchParams();
  const hasBody = operation.body ?? !(operation.method === 'GET' || operation.method === 'DELETE');
  const inQuery = hasBody ? (operation.query ?? []) : Object.keys(rest);
  for (const name of inQuery) {
    const value = rest[name];
    delete rest[name];
    if (value != null) query.set(name, textOf(value));
  }
  if (hasBody && operation.form) init.body = formOf(rest);
  else if (hasBody) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(rest);
  }
  const search = query.size > 0 ? `?${query}` : '';
  return { url: `${baseUrl}${path}${search}`, init };
}

const textOf = (value: unknown): string =>
  value instanceof Date
    ? value.toISOString()
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.set(name, value);
    else if (value != null) form.set(name, textOf(value));
  }
  return form;
}
