import { isIPv4, isIPv6 } from 'node:net';

/**
 * What counts as one client: an IPv4 address, also where it is written as IPv6, and the /64 network of an IPv6 address, since
 * one subscriber has all of its addresses (behaviour B10).
 */
export function clientNetwork(ip: string): string {
  const [address = ip] = ip.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
}

/** A trailing IPv4 part stands for the last two groups; only their number matters here. */
const groups = (part: string): string[] =>
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
