/**
 * The address of a database may name several servers, as in libpq: `postgres://user@a,b:5433,c/db`. Everything but host and port is the
 * same for all.
 */
interface Parts {
  /** scheme, user and password */
  before: string;
  /** `host` or `host:port` each */
  servers: string[];
  /** path and parameters */
  after: string;
}

const format = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

function partsOf(url: string): Parts | null {
  const match = format.exec(url);
  if (!match) return null;
  const [, before = '', servers = '', after = ''] = match;
  return { before, servers: servers.split(','), after };
}

/** The address of each server alone. */
export function databaseServers(url: string): [string, ...string[]] {
  const parts = partsOf(url);
  if (!parts || parts.servers.length === 1) return [url];
  const [first = '', ...others] = parts.servers.map((server) => `${parts.before}${server}${parts.after}`);
  return [first, ...others];
}

/** The same servers, another database. */
export function onOtherDatabase(url: string, name: string): string {
  const parts = partsOf(url);
  return parts
    ? `${parts.before}${parts.servers.join(',')}${parts.after.replace(/^[^?#]*/, `/${name}`)}`
    : url;
}

/** Where a database is, without user and password; null for what is no address. */
export function placeOfDatabase(url: string): string | null {
  const parts = partsOf(url);
  return parts && `${parts.servers.join(',')}${/^[^?#]*/.exec(parts.after)?.[0] ?? ''}`;
}

/**
 * The address for programs of PostgreSQL, which choose among several servers by themselves, and its password apart from it: arguments are
 * shown to all users of a machine.
 */
export function forPrograms(url: string): { url: string; password: string } {
  const parts = partsOf(url);
  const password = decodeURIComponent(URL.parse(databaseServers(url)[0])?.password ?? '');
  if (!parts) return { url, password };
  const before = parts.before.replace(/^([a-z]+:\/\/[^:]*):.*@$/s, '$1@');
  const servers = parts.servers.join(',');
  if (parts.servers.length === 1) return { url: `${before}${servers}${parts.after}`, password };
  const given = parts.after.replace(/[?&]target_session_attrs=[^&#]*/, '');
  const choice = `${given.includes('?') ? '&' : '?'}target_session_attrs=read-write`;
  return { url: `${before}${servers}${given}${choice}`, password };
}

/** What is wrong with an address, or null. It quotes nothing: a part may be one of a password. */
export function problemOfDatabase(url: string): string | null {
  const parts = partsOf(url);
  if (!parts) return 'must be a postgres:// URL';
  if (parts.servers.length === 1) return null;
  const servers = parts.servers.map((server) => URL.parse(`http://${server}/`));
  if (parts.servers.includes('') || servers.some((server) => server === null || server.hostname === ''))
    return 'names several servers: each needs a host, and a port from 1 to 65535 where it is not 5432';
  const names = parts.servers.map((server) => (/:\d+$/.test(server) ? server : `${server}:5432`));
  return new Set(names).size < names.length ? 'names a server twice' : null;
}
