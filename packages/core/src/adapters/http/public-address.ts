import ipaddr from 'ipaddr.js';

/** The only IPv6 space that is handed out for the open internet (RFC 4291 2.4, IANA); all else is special in some way. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address belongs to the open internet: not private, loopback, link-local, carrier-grade NAT, multicast,
 * reserved or unspecified, and no IPv6 form that leads to an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) return parsed.match(globalUnicast) && parsed.range() === 'unicast';
  return parsed.range() === 'unicast';
}
