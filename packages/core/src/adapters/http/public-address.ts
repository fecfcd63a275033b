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

/**
 * Ports of services that are not HTTP, of the Fetch standard's list of bad ports (2.9), and of databases: a request to one of them would
 * be read as commands of another protocol.
 */
const otherServices = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1433, 1521, 1719, 1720,
  1723, 2049, 2525, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080, 11211, 27017,
]);

/** Whether a web server may listen on the port of a URL. */
export const isWebPort = ({ port }: Pick<URL, 'port'>): boolean =>
  port === '' || !otherServices.has(Number(port));
