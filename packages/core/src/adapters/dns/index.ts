export { createDnsResolver, type DnsOptions } from './dns-resolver.ts';
