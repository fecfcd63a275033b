/** `none`: the name or the record does not exist. `unanswered`: no server replied in time. */
export type DnsAnswer<T> = { kind: 'found'; records: T[] } | { kind: 'none' } | { kind: 'unanswered' };

export interface DnsResolver {
  txt(name: string): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<{ exchange: string; priority: number }>>;
  cname(name: string): Promise<DnsAnswer<string>>;
  ns(name: string): Promise<DnsAnswer<string>>;
  /** A and AAAA together */
  addresses(name: string): Promise<DnsAnswer<string>>;
  /** the names of an IP address (PTR) */
  names(address: string): Promise<DnsAnswer<string>>;
}
