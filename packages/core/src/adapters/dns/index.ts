export { createDnsResolver } from './dns-resolver.ts';
