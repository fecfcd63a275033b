import { BlockList, isIP, isIPv6 } from 'node:net';
import { AppError, type CoreConfig } from '@postrider/core/base/kernel';
import { Counts, clientNetwork } from '@postrider/core/base/lib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, register } from 'prom-client';
import { readSessionToken } from '../access/session-cookie.ts';

/** Bounds of one client, an address or an IPv6 network of 64 bits, in one process (behaviour B8.3). */
export interface ConnectionLimits {
  connections: number;
  /** requests in progress without a credential */
  requests: number;
  /** Proxies, which have the connections of many clients. */
  isExempt(address: string): boolean;
}

/** A proxy on the same machine needs no `TRUST_PROXY` for its own connections. */
export const connectionLimits = ({
  trustedProxies,
}: Pick<CoreConfig, 'trustedProxies'>): ConnectionLimits => ({
  connections: 256,
  requests: 64,
  isExempt: exemption(trustedProxies),
});

const named: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

function exemption(proxies: CoreConfig['trustedProxies']): (address: string) => boolean {
  // A number of hops counts from the socket, so the peer of every connection is the first proxy.
  if (typeof proxies === 'number' && proxies > 0) return () => true;
  const list = new BlockList();
  const ranges = ['loopback', ...(Array.isArray(proxies) ? proxies : [])];
  for (const range of ranges.flatMap((each) => named[each] ?? [each])) {
    const [network = '', prefix] = range.split('/');
    if (isIP(network) === 0) continue;
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

const refusedConnections = (): Counter =>
  (register.getSingleMetric('postrider_connections_refused_total') as Counter | undefined) ??
  new Counter({
    name: 'postrider_connections_refused_total',
    help: 'Connections that were closed because their client address has too many',
  });

/** Keeps one client from holding all connections, and from occupying the process with requests that need no credential. */
export function boundConnections(app: FastifyInstance, limits: ConnectionLimits): void {
  const connections = new Counts();
  const requests = new Counts();
  const refused = refusedConnections();
  app.server.on('connection', (socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || limits.isExempt(address)) return;
    const leave = connections.take(clientNetwork(address), limits.connections);
    if (leave) {
      socket.once('close', leave);
      return;
    }
    refused.inc();
    socket.destroy();
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    // A client that has closed its connection has no address any more, and waits for no answer.
    const address: string | undefined = request.ip;
    if (hasCredential(request) || address === undefined || limits.isExempt(address))
      return done(null, payload);
    const leave = requests.take(clientNetwork(address), limits.requests);
    if (!leave) return done(tooManyRequests());
    if (reply.raw.closed) leave();
    else reply.raw.once('close', leave);
    done(null, payload);
  });
}

/** The gate has checked the credential; tRPC, which has none, looks for the session of its cookie itself. */
function hasCredential({ ctx, url, headers }: FastifyRequest): boolean {
  if (ctx) return ctx.actor.type === 'key' || ctx.actor.type === 'user';
  return url.startsWith('/trpc/') && readSessionToken(headers.cookie) !== null;
}

const tooManyRequests = (): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', 'Too many requests of this address are in progress', {
    details: { retryAfter: 1 },
  });
