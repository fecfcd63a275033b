import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporalEnv, temporalSettings } from '@postrider/local/memory';
import { freePort } from '@postrider/local/ports';
import { signal, stopProcess } from '@postrider/local/processes';
import { register, unregister } from '@postrider/local/registry';
import { temporalPrograms } from '@postrider/local/temporal-programs';
import { Connection } from '@temporalio/client';

const run = promisify(execFile);

export const temporalRoles = ['frontend', 'history', 'matching', 'worker'] as const;
export type TemporalRole = (typeof temporalRoles)[number];

/** One process of the Temporal server, on a loopback address of its own. It is started again when it ends by itself. */
export interface RoleProcess {
  role: TemporalRole;
  host: string;
  /** how often it ended by itself */
  readonly ends: number;
  start(): Promise<void>;
  /** SIGKILL; it stays down until `start`. */
  kill(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

export interface TemporalServer {
  frontends: readonly { host: string; port: number }[];
  processes: readonly RoleProcess[];
  stop(): Promise<void>;
}

export interface TemporalServerOptions {
  /** A superuser's address of the server on which its databases are made. It has to lead to the primary, also after a failover. */
  databaseUrl: string;
  /** for its configuration and logs */
  folder: string;
  /** processes of each role */
  copies: number;
}

const namespace = 'default';
const shards = 128;
const againMs = 1_000;
const patienceMs = 120_000;
const retentionSeconds = 72 * 3_600;

/** The Temporal server in production form: its own databases in PostgreSQL, and each role as processes that find each other there. */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const { folder, copies } = options;
  const programs = await temporalPrograms();
  await mkdir(folder, { recursive: true });
  await makeDatabases(programs.sqlTool, options.databaseUrl);
  // Processes of a role have the same port: others know only the address of a member, and the port of its role.
  const ports = await portsOfRoles();
  const settings = join(folder, 'settings.yaml');
  await writeFile(settings, settingsOf(temporalSettings));
  const processes: RoleProcess[] = [];
  for (const [index, role] of temporalRoles.entries())
    for (let copy = 1; copy <= copies; copy++) {
      const host = `127.0.${index + 1}.${copy}`;
      const config = join(folder, `${role}-${copy}`);
      await mkdir(config, { recursive: true });
      await writeFile(join(config, 'cluster.yaml'), configOf(options.databaseUrl, host, ports, settings));
      processes.push(roleProcess(programs.server, role, host, config));
    }
  const stop = async (): Promise<void> => {
    await Promise.all(processes.toReversed().map((one) => one.stop()));
  };
  const frontends = Array.from({ length: copies }, (_, index) => ({
    host: `127.0.1.${index + 1}`,
    port: ports.frontend.grpc,
  }));
  try {
    await Promise.all(processes.map((one) => one.start()));
    await registerNamespace(frontends);
  } catch (error) {
    await stop();
    throw error;
  }
  return { frontends, processes, stop };
}

function roleProcess(server: string, role: TemporalRole, host: string, config: string): RoleProcess {
  let child: ChildProcess | undefined;
  let isWanted = false;
  let ends = 0;
  const launch = async (): Promise<void> => {
    const log = openSync(`${config}.log`, 'a');
    const started = spawn(
      server,
      ['--root', config, '--config', '.', '--env', 'cluster', '--allow-no-auth', 'start', '--service', role],
      {
        env: { ...process.env, ...temporalEnv },
        stdio: ['ignore', log, log],
      },
    );
    closeSync(log);
    await once(started, 'spawn');
    child = started;
    const pid = started.pid ?? 0;
    register(pid, 'SIGKILL');
    started.once('exit', () => {
      unregister(pid);
      child = undefined;
      if (!isWanted) return;
      ends += 1;
      setTimeout(() => {
        if (isWanted && !child) void launch();
      }, againMs);
    });
  };
  return {
    role,
    host,
    get ends() {
      return ends;
    },
    async start() {
      isWanted = true;
      if (!child) await launch();
    },
    async kill() {
      isWanted = false;
      if (!child) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    signal(name) {
      if (child?.pid !== undefined) signal(child.pid, name);
    },
    async stop() {
      isWanted = false;
      if (child?.pid !== undefined)
        await stopProcess(child.pid, [
          ['SIGTERM', 5_000],
          ['SIGKILL', 5_000],
        ]);
    },
  };
}

interface RolePorts {
  grpc: number;
  membership: number;
}

async function portsOfRoles(): Promise<Record<TemporalRole, RolePorts>> {
  const entries: [TemporalRole, RolePorts][] = [];
  for (const role of temporalRoles)
    entries.push([role, { grpc: await freePort(), membership: await freePort() }]);
  return Object.fromEntries(entries) as Record<TemporalRole, RolePorts>;
}

const databases = [
  ['temporal', 'postgresql/v12/temporal'],
  ['temporal_visibility', 'postgresql/v12/visibility'],
] as const;

async function makeDatabases(sqlTool: string, databaseUrl: string): Promise<void> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  for (const [database, schema] of databases) {
    const server = ['--plugin', 'postgres12', '--ep', hostname, '-p', port, '-u', username];
    const tool = (...command: string[]) =>
      run(sqlTool, [...server, '--db', database, ...command], {
        env: { ...process.env, SQL_PASSWORD: password },
      });
    await tool('create-database');
    await tool('setup-schema', '-v', '0.0');
    await tool('update-schema', '--schema-name', schema);
  }
}

function configOf(
  databaseUrl: string,
  host: string,
  ports: Record<TemporalRole, RolePorts>,
  settings: string,
): string {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      ...{
        pluginName: 'postgres12',
        databaseName,
        connectAddr: `${hostname}:${port}`,
        connectProtocol: 'tcp',
      },
      ...{ user: username, password, maxConns, maxIdleConns: maxConns, maxConnLifetime: '1h' },
    },
  });
  const rpc = ({ grpc, membership }: RolePorts) => ({
    rpc: { grpcPort: grpc, membershipPort: membership, bindOnIP: host },
  });
  // JSON is YAML.
  return JSON.stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: shards,
      datastores: { default: store('temporal', 12), visibility: store('temporal_visibility', 4) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: host } },
    services: Object.fromEntries(temporalRoles.map((role) => [role, rpc(ports[role])])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          ...{ enabled: true, initialFailoverVersion: 1, rpcName: 'frontend' },
          rpcAddress: `127.0.1.1:${ports.frontend.grpc}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: settings, pollInterval: '60s' },
  });
}

/** In the form of Temporal's dynamic configuration. */
const settingsOf = (settings: Readonly<Record<string, string | number | boolean>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, [{ value }]])));

async function registerNamespace(frontends: TemporalServer['frontends']): Promise<void> {
  const deadline = Date.now() + patienceMs;
  const done = new Set<string>();
  let failure: unknown;
  while (done.size < frontends.length) {
    if (Date.now() > deadline)
      throw new Error('The roles of the Temporal server do not come together.', { cause: failure });
    for (const { host, port } of frontends) {
      const address = `${host}:${port}`;
      if (done.has(address)) continue;
      try {
        await registerAt(address);
        done.add(address);
      } catch (error) {
        failure = error;
        await sleep(500);
      }
    }
  }
}

async function registerAt(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  try {
    const { workflowService } = connection;
    const known = await workflowService.describeNamespace({ namespace }).then(
      () => true,
      () => false,
    );
    if (!known)
      await workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: { seconds: retentionSeconds as never },
      });
    // A frontend reads its list of namespaces every ten seconds.
    await workflowService.countWorkflowExecutions({ namespace });
  } finally {
    await connection.close();
  }
}
