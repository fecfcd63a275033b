import { lookup as systemLookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { OutgoingAnswer, OutgoingHttp, OutgoingRequest } from '../../kernel/ports/outgoing-http.ts';
import { isPublicAddress } from './public-address.ts';

interface Address {
  address: string;
  family: number;
}

interface OutgoingHttpOptions {
  /** `host:port` in lower case: exempt from the address check */
  allowedHosts: readonly string[];
  /** resolves a name to all its addresses; the system's resolver unless a test replaces it */
  lookup?: (host: string) => Promise<Address[]>;
}

const defaultMaxRedirects = 5;
/** Connection-level headers (RFC 9110, 7.6.1), and those that determine the destination. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Headers that are sent to another origin after a redirect; any other may hold a secret of the first one. */
const harmlessHeaders = new Set([
  'accept',
  'content-type',
  'user-agent',
  'x-postrider-delivery',
  'x-postrider-signature',
]);

class Refused extends Error {}

/** Sends requests to public addresses only: a name is resolved once, its addresses are checked, and the connection goes to a checked address. */
export function createOutgoingHttp({
  allowedHosts,
  lookup = (host) => systemLookup(host, { all: true }),
}: OutgoingHttpOptions): OutgoingHttp {
  const allowed = new Set(allowedHosts);

  /** @throws Refused when the address, or one that the name resolves to, is not public */
  async function addressesOf(url: URL, signal: AbortSignal): Promise<Address[]> {
    // URL writes an IPv6 address in brackets, and every form of an IPv4 address as four decimal numbers.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    const family = isIP(host);
    const addresses = family > 0 ? [{ address: host, family }] : await unlessAborted(lookup(host), signal);
    if (addresses.length === 0) throw new Error(`${host} has no address`);
    if (allowed.has(`${url.hostname.toLowerCase()}:${port}`)) return addresses;
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      throw new Refused(`${url.host} resolves to an address that is not public`);
    }
    return addresses;
  }

  return {
    async send(given) {
      const signal = AbortSignal.timeout(given.timeoutMs);
      try {
        return await follow(given, signal, addressesOf);
      } catch (error) {
        if (error instanceof Refused) return { kind: 'refused', reason: error.message };
        return { kind: 'failed', reason: describe(error, signal, given.timeoutMs) };
      }
    },
  };
}

async function follow(
  given: OutgoingRequest,
  signal: AbortSignal,
  addressesOf: (url: URL, signal: AbortSignal) => Promise<Address[]>,
): Promise<OutgoingAnswer> {
  let url = parseUrl(given.url);
  const { maxRedirects = defaultMaxRedirects } = given;
  let { method, body } = given;
  let isSameOrigin = true;
  for (let redirects = 0; ; redirects += 1) {
    const addresses = await addressesOf(url, signal);
    const headers = cleanHeaders(given.headersFor(method, body ?? ''), isSameOrigin);
    const answer = await exchange(url, { method, body, headers, addresses, signal });
    const status = answer.statusCode ?? 0;
    const location = answer.headers.location;
    if (!isRedirect(status) || location === undefined || redirects === maxRedirects) {
      return { kind: 'answer', status, ...(await readText(answer, given.maxResponseLength)) };
    }
    answer.destroy();
    const next = parseUrl(location, url);
    isSameOrigin = isSameOrigin && next.origin === url.origin;
    url = next;
    // As in the Fetch standard (HTTP-redirect fetch): only 307 and 308 keep the method and body.
    if (status === 303 || ((status === 301 || status === 302) && method === 'POST')) {
      method = 'GET';
      body = null;
    }
  }
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw new Refused(`${text.slice(0, 200)} is not a URL`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Refused(`only http and https are allowed, not ${url.protocol.slice(0, 40)}`);
  }
  return url;
}

function cleanHeaders(given: Record<string, string>, isSameOrigin: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name]) =>
        !ownHeaders.has(name.toLowerCase()) && (isSameOrigin || harmlessHeaders.has(name.toLowerCase())),
    ),
  );
}

interface Exchange {
  method: string;
  body: string | null;
  headers: Record<string, string>;
  addresses: Address[];
  signal: AbortSignal;
}

/** One request on a new connection, to the given addresses only. */
function exchange(
  url: URL,
  { method, body, headers, addresses, signal }: Exchange,
): Promise<IncomingMessage> {
  const bytes = body === null ? null : Buffer.from(body, 'utf8');
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    let request: ReturnType<typeof httpRequest>;
    try {
      request = send(url, {
        method,
        signal,
        // No shared agent: a kept connection would rely on an earlier lookup.
        agent: false,
        headers: {
          ...headers,
          ...(bytes === null && method === 'GET' ? {} : { 'Content-Length': String(bytes?.length ?? 0) }),
        },
        lookup: (_host, options, callback) => {
          const [first] = addresses;
          if (options.all) callback(null, addresses);
          else callback(null, first?.address ?? '', first?.family ?? 4);
        },
      });
    } catch (error) {
      // Node rejects invalid headers; a retry would not help.
      reject(new Refused(error instanceof Error ? error.message : String(error)));
      return;
    }
    // Not `once`: a response that is aborted later also reports here.
    request.on('error', reject);
    request.once('response', resolve);
    request.end(bytes ?? undefined);
  });
}

/** UTF-8 takes at most four bytes per character (two units of UTF-16 then). */
const bytesPerCharacter = 4;

async function readText(
  answer: IncomingMessage,
  maxLength: number,
): Promise<{ body: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxLength * bytesPerCharacter) break;
  }
  answer.destroy();
  const text = Buffer.concat(chunks).toString('utf8');
  return { body: text.slice(0, maxLength), isCut: text.length > maxLength };
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function describe(error: unknown, signal: AbortSignal, timeoutMs: number): string {
  if (signal.aborted) return `no answer within ${timeoutMs / 1_000} seconds`;
  const { code } = error as { code?: unknown };
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name was not found';
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ECONNRESET':
      return 'the connection was closed without an answer';
    default:
      return error instanceof Error && error.message !== '' ? error.message : `network error ${String(code)}`;
  }
}
