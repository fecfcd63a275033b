import { lookup as systemLookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { OutgoingAnswer, OutgoingHttp, OutgoingRequest } from '../../base/kernel/ports/outgoing-http.ts';
import { isLoopbackHost } from '../../base/lib/loopback.rules.ts';
import { isPublicAddress, isWebPort } from './public-address.ts';

interface Address {
  address: string;
  family: number;
}

interface OutgoingHttpOptions {
  /** `host:port` in lower case: exempt from the address check */
  allowedHosts: readonly string[];
  /** With it, requests may go to this machine by a name or address that always means it, but for the ports that it names. */
  loopback?: { closedPorts: readonly number[] } | null;
  /** resolves a name to all its addresses; the system's resolver unless a test replaces it */
  lookup?: (host: string) => Promise<Address[]>;
  /** of this machine; those of its network interfaces unless a test replaces them */
  ownAddresses?: () => ReadonlySet<string>;
}

const defaultRedirects = 5;
/** Idle connections that are kept per host, and for how long. */
const kept = { keepAlive: true, maxFreeSockets: 16, timeout: 10_000 } as const;
/** Names that never lead to the public internet (RFC 6761 6.3, RFC 6762 3, RFC 9476, ICANN's `internal`). */
const privateName = /(^|\.)(localhost|local|internal|alt)\.?$/;
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
const harmlessHeaders = new Set(['accept', 'content-type', 'user-agent']);

class Refused extends Error {}

/** Sends requests to public addresses only: a name is resolved once, its addresses are checked, and the connection goes to a checked address. */
export function createOutgoingHttp({
  allowedHosts,
  loopback = null,
  lookup = (host) => systemLookup(host, { all: true }),
  ownAddresses = interfaceAddresses,
}: OutgoingHttpOptions): OutgoingHttp {
  const allowed = new Set(allowedHosts);
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };

  const isExempt = (url: URL): boolean =>
    allowed.has(`${url.hostname.toLowerCase()}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`);

  const closedPorts = new Set(loopback?.closedPorts);
  /** Of a name that always means this machine; null where such requests are not allowed. */
  const loopbackRefusal = (url: URL): string | null => {
    if (!loopback || !isLoopbackHost(hostOf(url)))
      return `${url.host} resolves to an address that is not public`;
    if (closedPorts.has(Number(url.port)))
      return `port ${url.port} belongs to a service of this installation`;
    return isWebPort(url) ? null : `port ${url.port} is not one of a web server`;
  };

  /** @throws Refused when the address, or one that the name resolves to, is not public, or the port is not for the web */
  async function addressesOf(url: URL, signal: AbortSignal): Promise<Address[]> {
    const host = hostOf(url);
    const family = isIP(host);
    const addresses = family > 0 ? [{ address: host, family }] : await unlessAborted(lookup(host), signal);
    if (addresses.length === 0) throw new Error(`${host} has no address`);
    if (isExempt(url)) return addresses;
    if (loopback && isLoopbackHost(host)) {
      const refusal = loopbackRefusal(url);
      if (refusal !== null) throw new Refused(refusal);
      if (addresses.every(({ address }) => isLoopbackHost(address))) return addresses;
    }
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      throw new Refused(`${url.host} resolves to an address that is not public`);
    }
    if (!isWebPort(url)) throw new Refused(`port ${url.port} is not one of a web server`);
    // A firewall protects the other ports from requests that come from outside, not from these.
    const own = url.port === '' ? null : ownAddresses();
    if (own && addresses.some(({ address }) => own.has(address)))
      throw new Refused(`${url.host} is a port of this machine that is not for the web`);
    return addresses;
  }

  return {
    async send(given) {
      const signal = AbortSignal.timeout(given.timeoutMs);
      try {
        return await follow(given, signal, { addressesOf, agents });
      } catch (error) {
        if (error instanceof Refused) return { kind: 'refused', reason: error.message };
        return { kind: 'failed', reason: describe(error, signal, given.timeoutMs) };
      }
    },
    mayReach(text) {
      const url = URL.parse(text);
      if (!url) return false;
      if (isExempt(url) || loopbackRefusal(url) === null) return true;
      if (!isWebPort(url)) return false;
      const host = hostOf(url);
      return isIP(host) > 0 ? isPublicAddress(host) : !privateName.test(host);
    },
  };
}

const interfaceAddresses = (): ReadonlySet<string> =>
  new Set(
    Object.values(networkInterfaces())
      .flat()
      .flatMap((each) => (each ? [each.address] : [])),
  );

/** URL writes an IPv6 address in brackets, and every form of an IPv4 address as four decimal numbers. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

type AddressesOf = (url: URL, signal: AbortSignal) => Promise<Address[]>;

interface Means {
  addressesOf: AddressesOf;
  agents: { http: HttpAgent; https: HttpsAgent };
}

async function follow(
  given: OutgoingRequest,
  signal: AbortSignal,
  { addressesOf, agents }: Means,
): Promise<OutgoingAnswer> {
  const { maxRedirects = defaultRedirects, keepAlive = false } = given;
  let url = parseUrl(given.url);
  let { method, body } = given;
  let isSameOrigin = true;
  for (let redirects = 0; ; redirects += 1) {
    // A kept connection goes to the address that was checked when it was opened, so only a new one needs the name. An address in the
    // URL itself is not looked up, and is checked here.
    const addresses = keepAlive && isIP(hostOf(url)) === 0 ? null : await addressesOf(url, signal);
    const agent = keepAlive ? (url.protocol === 'https:' ? agents.https : agents.http) : false;
    const headers = cleanHeaders(given.headersFor(method, body ?? ''), isSameOrigin);
    const answer = await exchange(url, { method, body, headers, addresses, addressesOf, agent, signal });
    const status = answer.statusCode ?? 0;
    const location = answer.headers.location;
    if (!isRedirect(status) || location === undefined || redirects === maxRedirects) {
      return { kind: 'answer', status, ...(await readText(answer, given.maxResponseLength)) };
    }
    answer.destroy();
    const next = parseUrl(location, url);
    // Only who names this machine gets there, not whom a stranger's server redirects.
    if (isLoopbackHost(hostOf(next)) && !isLoopbackHost(hostOf(url)))
      throw new Refused(`a redirect to ${next.host} is not followed`);
    isSameOrigin = isSameOrigin && next.origin === url.origin;
    url = next;
    // Only 307 and 308 keep the method and body, as in the Fetch standard (HTTP-redirect fetch).
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
  /** null: looked up and checked when a connection is opened */
  addresses: Address[] | null;
  addressesOf: AddressesOf;
  /** false: a new connection, closed afterwards */
  agent: HttpAgent | HttpsAgent | false;
  signal: AbortSignal;
}

/** One request, to checked addresses only. */
function exchange(url: URL, given: Exchange): Promise<IncomingMessage> {
  const { method, body, headers, addresses, addressesOf, agent, signal } = given;
  const bytes = body === null ? null : Buffer.from(body, 'utf8');
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    let request: ReturnType<typeof httpRequest>;
    let isAnswered = false;
    try {
      request = send(url, {
        method,
        signal,
        agent,
        headers: {
          ...headers,
          ...(bytes === null && method === 'GET' ? {} : { 'Content-Length': String(bytes?.length ?? 0) }),
        },
        lookup: (_host, options, callback) => {
          const connect = (checked: Address[]): void => {
            const [first] = checked;
            if (options.all) callback(null, checked);
            else callback(null, first?.address ?? '', first?.family ?? 4);
          };
          if (addresses) connect(addresses);
          else addressesOf(url, signal).then(connect, (error: Error) => callback(error, []));
        },
      });
    } catch (error) {
      // Node rejects invalid headers; a retry would not help.
      reject(new Refused(error instanceof Error ? error.message : String(error)));
      return;
    }
    // Not `once`: a response that is aborted later also reports here.
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at the moment it was used again.
      if (request.reusedSocket && error.code === 'ECONNRESET' && !isAnswered && !signal.aborted)
        resolve(exchange(url, { ...given, agent: false }));
      else reject(error);
    });
    request.once('response', (answer) => {
      isAnswered = true;
      resolve(answer);
    });
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
