/**
 * Sends a JSON request with a project's secret key.
 *
 * @returns the reply; undefined where it has no body
 * @throws Error with the reply if it is not a success
 */
export async function callApi<Answer>(
  api: string,
  secretKey: string,
  path: string,
  body?: unknown,
  method: 'POST' | 'PATCH' | 'PUT' | 'GET' | 'DELETE' = 'POST',
): Promise<Answer> {
  const response = await fetch(new URL(path, api), {
    method,
    headers: {
      authorization: `Bearer ${secretKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}
