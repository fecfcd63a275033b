import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** What a process of the product is connected to. */
export type Peer = 'PostgreSQL' | 'Temporal' | 'SMTP';

/** The ways of one group of processes to its servers. Each group has its own, so that one can be cut off alone. */
export interface Network {
  /** `DATABASE_URL`, `TEMPORAL_ADDRESS` and `SMTP_URL` of the group */
  env: Record<string, string>;
  /** Those to PostgreSQL are in the order of the servers. */
  ways: Readonly<Record<Peer, readonly TcpProxy[]>>;
  /** how many messages went to the mail server */
  readonly messages: number;
  stop(): Promise<void>;
}

export interface NetworkTargets {
  /** names all servers of PostgreSQL, each with its port */
  databaseUrl: string;
  /** the ports of these servers at this moment */
  databasePorts: readonly number[];
  /** the frontends of Temporal */
  temporal: readonly { host: string; port: number }[];
  smtpPort: number;
}

/** RFC 5321, 4.1.1.4 */
const endOfMessage = '\r\n.\r\n';

export async function startNetwork(targets: NetworkTargets): Promise<Network> {
  const database = await Promise.all(targets.databasePorts.map((port) => startTcpProxy(port)));
  const temporal = await startTcpProxy(targets.temporal);
  const smtp = await startTcpProxy(targets.smtpPort, { mark: endOfMessage });
  const servers = database.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    env: {
      DATABASE_URL: targets.databaseUrl.replace(/@[^/]*/, `@${servers}`),
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    },
    ways: { PostgreSQL: database, Temporal: [temporal], SMTP: [smtp] },
    get messages() {
      return smtp.marks;
    },
    async stop() {
      await Promise.all([...database, temporal, smtp].map((way) => way.stop()));
    },
  };
}
