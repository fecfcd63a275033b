import { isIP } from 'node:net';
import { splitList } from '../lib/split-list.rules.ts';

/** Formats of environment variables (behaviour B10) beyond the built-in ones of zod. */

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

export const isHost = (value: string): boolean => hostName.test(value) || isIP(value) !== 0;

/** `1.2.3.4`, `1.2.3.4:53`, `::1`, `[::1]:53` */
export function isDnsServer(value: string): boolean {
  if (isIP(value) !== 0) return true;
  const [host, port] = splitPort(value);
  return port !== null && isPort(port) && isIP(host) !== 0;
}

/** `host:port` */
export function isHostWithPort(value: string): boolean {
  const [host, port] = splitPort(value);
  return port !== null && isPort(port) && isHost(host);
}

/** `Name <address>`, or an address alone; the domain may be `localhost`. */
export const isSender = (value: string): boolean =>
  /^(?:[^<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value.trim());

/** An OpenID Connect issuer (OpenID Connect Discovery 1.0, section 4): https, except on this machine. */
export function isIssuer(value: string): boolean {
  const url = URL.parse(value);
  if (url === null) return false;
  if (url.search !== '' || url.hash !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** `arn:aws:sns:eu-central-1:123456789012:name` */
export const isTopicArn = (value: string): boolean =>
  /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]{1,256}$/.test(value);

/** The part after the `@` of a sender as `isSender` accepts it, in lower case. */
export const hostOfSender = (value: string): string =>
  /@([^\s@<>]+)>?$/.exec(value.trim())?.[1]?.toLowerCase() ?? '';

/** A number of proxies, or the addresses and ranges (`10.0.0.0/8`) of trusted ones. */
export function isTrustedProxies(value: string): boolean {
  if (/^[1-9]\d?$/.test(value)) return true;
  const entries = splitList(value);
  return entries.length > 0 && entries.every(isRange);
}

/** An address, or a range such as `10.0.0.0/8`. */
export function isRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function splitPort(value: string): [host: string, port: string | null] {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(value);
  return match ? [match[1] ?? match[2] ?? '', match[3] ?? null] : [value, null];
}

const isPort = (port: string): boolean => Number(port) > 0 && Number(port) <= 65_535;
