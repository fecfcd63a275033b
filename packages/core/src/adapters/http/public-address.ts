import ipaddr from 'ipaddr.js';

/** The only IPv6 range allocated for global unicast (RFC 4291, 2.4, IANA); everything else is special-purpose. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Formally public addresses that answer inside of a cloud only: Azure's platform service (WireServer). */
const cloudServices = new Set(['168.63.129.16']);

/**
 * Whether an IP address is publicly routable: not private, loopback, link-local, carrier-grade NAT, multicast,
 * reserved or unspecified, and not an IPv6 form of an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) return parsed.match(globalUnicast) && parsed.range() === 'unicast';
  return parsed.range() === 'unicast' && !cloudServices.has(parsed.toString());
}
