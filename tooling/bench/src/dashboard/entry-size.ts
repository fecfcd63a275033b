import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** Kilobytes of the JavaScript that every page of the dashboard loads first, in Brotli as browsers receive it over TLS. */
export async function entryKb(dashboard: string): Promise<number> {
  const html = (await read(`${dashboard}/login`, { accept: 'text/html' })).toString();
  const files = [...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  let bytes = 0;
  for (const path of files) bytes += (await read(dashboard + path, { 'accept-encoding': 'br' })).length;
  return bytes / 1_000;
}

/** The body of an answer as it was sent. */
async function read(url: string, headers: Record<string, string>): Promise<Buffer> {
  const [answer] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  return Buffer.concat(await answer.toArray());
}
