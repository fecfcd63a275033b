import { connect } from 'node:net';
import type { Examined } from './examined.ts';
import { checksOf, failure, type Outcome, ok } from './finding.ts';

const patienceMs = 3_000;

/** The ports that processes of an installation open, by variable. */
const portsOf = ({ config, metricsPort }: Examined): { name: string; port: number }[] =>
  [
    { name: 'PORT', port: config.PORT },
    { name: 'SUBMISSION_PORT', port: config.SUBMISSION_PORT },
    { name: 'BOUNCE_PORT', port: config.BOUNCE_PORT },
    { name: 'WORKER_METRICS_PORT', port: metricsPort },
  ].flatMap(({ name, port }) => (port ? [{ name, port }] : []));

function twice(examined: Examined): Outcome[] {
  const sharing = [...Map.groupBy(portsOf(examined), ({ port }) => port)].filter(
    ([, those]) => those.length > 1,
  );
  if (sharing.length === 0) return [ok('variables', 'each port has one purpose')];
  return sharing.map(([port, those]) =>
    failure({
      subject: `port ${port}`,
      found: `${those.map(({ name }) => name).join(' and ')} are both ${port}`,
      cause: 'The second process to start, or the second server of one process, fails with EADDRINUSE.',
      action: 'Give each of them a port of its own.',
    }),
  );
}

async function taken(examined: Examined, signal: AbortSignal): Promise<Outcome[]> {
  const { HOST } = examined.config;
  const host = ['::', '0.0.0.0'].includes(HOST) ? '127.0.0.1' : HOST;
  const ports = portsOf(examined).filter(({ name }) => name in servers);
  return Promise.all(
    ports.map(async ({ name, port }) => {
      const subject = `${name} ${port}`;
      if (!(await isTaken(host, port))) return ok(subject, 'free');
      const { isOurs, what } = servers[name as keyof typeof servers];
      if (await isOurs(host, port, signal)) return ok(subject, `${what} answers`);
      return failure({
        subject,
        found: `another program listens at port ${port}`,
        cause: `It does not answer as ${what} does, which cannot start beside it.`,
        action: `Stop that program, or set ${name} to another port. What forwards to this one has to follow.`,
      });
    }),
  );
}

const isTaken = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.setTimeout(patienceMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

async function isApi(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const name = host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}/health/live`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    });
    const body: unknown = await answer.json();
    return answer.ok && (body as { status?: unknown }).status === 'ok';
  } catch {
    return false;
  }
}

/** The greetings of both SMTP servers name the product. */
const isSmtp = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isOurs: boolean): void => {
      socket.destroy();
      resolve(isOurs);
    };
    socket.setTimeout(patienceMs, () => end(false));
    socket.once('data', (bytes) => end(/^(220|421)[ -].*Postrider/.test(bytes.toString('latin1'))));
    socket.once('error', () => end(false));
    socket.once('end', () => end(false));
  });

/** How a server of an installation is told from that of another program. */
const servers = {
  PORT: { isOurs: isApi, what: 'the api' },
  SUBMISSION_PORT: { isOurs: isSmtp, what: 'the submission port of the api' },
  BOUNCE_PORT: { isOurs: isSmtp, what: 'the bounce port of the worker' },
};

export const portsChecks = checksOf<Examined>('ports', ['PORT', 'HOST'])({
  twice: {
    reference: 'Ports: one purpose each',
    run: twice,
    needs: ['SUBMISSION_PORT', 'BOUNCE_PORT', 'WORKER_METRICS_PORT'],
  },
  taken: { reference: 'Ports: taken by others', run: taken, needs: ['SUBMISSION_PORT', 'BOUNCE_PORT'] },
});
