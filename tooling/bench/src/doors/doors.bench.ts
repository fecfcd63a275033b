import { type HttpConnection, openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { loadHttp } from '../harness/load.ts';
import { receiptBody } from '../send/send-request.ts';

interface Email {
  to: string;
  from: string;
  subject: string;
  html: string;
}

/** The same email as the client of a service sends it. */
interface Door {
  path: string;
  emails: number;
  connections: number;
  status: number;
  /** Default: Bearer. */
  credentialOf?(key: string): { authorization: string | null; headers?: Readonly<Record<string, string>> };
  bodyOf(next: () => Email): string;
  against?: DoorName;
  atLeast?: number;
}

const itemsOfBatch = 100;
const perItem = { emails: 1, connections: 64, status: 200, against: 'native', atLeast: 0.9 } as const;

const resendBody = ({ html, ...rest }: Email): object => ({ ...rest, html });

const doors = {
  native: {
    path: '/v1/send',
    emails: 1,
    connections: 64,
    status: 200,
    bodyOf: (next) => {
      const { html, ...rest } = next();
      return JSON.stringify({ ...rest, body: html, literal: true });
    },
  },
  resend: {
    ...perItem,
    path: '/compat/resend/emails',
    bodyOf: (next) => JSON.stringify(resendBody(next())),
  },
  postmark: {
    ...perItem,
    path: '/compat/postmark/email',
    credentialOf: (key) => ({ authorization: null, headers: { 'X-Postmark-Server-Token': key } }),
    bodyOf: (next) => {
      const { to, from, subject, html } = next();
      return JSON.stringify({ To: to, From: from, Subject: subject, HtmlBody: html });
    },
  },
  sendgrid: {
    ...perItem,
    path: '/compat/sendgrid/v3/mail/send',
    status: 202,
    bodyOf: (next) => {
      const { to, from, subject, html } = next();
      return JSON.stringify({
        personalizations: [{ to: [{ email: to }] }],
        from: { email: from },
        subject,
        content: [{ type: 'text/html', value: html }],
      });
    },
  },
  mailgun: {
    ...perItem,
    path: '/compat/mailgun/v3/{domain}/messages',
    credentialOf: (key) => ({
      authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    }),
    bodyOf: (next) => new URLSearchParams(Object.entries(next())).toString(),
  },
  plunk: {
    ...perItem,
    path: '/compat/plunk/send',
    bodyOf: (next) => {
      const { html, ...rest } = next();
      return JSON.stringify({ ...rest, body: html });
    },
  },
  single: {
    path: '/compat/resend/emails',
    emails: 1,
    connections: 1,
    status: 200,
    bodyOf: (next) => JSON.stringify(resendBody(next())),
  },
  batch: {
    path: '/compat/resend/emails/batch',
    emails: itemsOfBatch,
    connections: 1,
    status: 200,
    against: 'single',
    atLeast: 10,
    bodyOf: (next) => JSON.stringify(Array.from({ length: itemsOfBatch }, () => resendBody(next()))),
  },
} satisfies Record<string, Door>;

type DoorName = 'native' | 'resend' | 'postmark' | 'sendgrid' | 'mailgun' | 'plunk' | 'single' | 'batch';

const labels: Readonly<Record<DoorName, string>> = {
  native: '/v1/send',
  resend: 'door of Resend',
  postmark: 'door of Postmark',
  sendgrid: 'door of SendGrid',
  mailgun: 'door of Mailgun',
  plunk: 'door of Plunk',
  single: 'door of Resend, one connection',
  batch: `door of Resend, batches of ${itemsOfBatch}, one connection`,
};

export const doorsBench: Bench = {
  name: 'doors',
  summary: 'emails per second by each drop-in door beside /v1/send, by turns, and by batches of one client',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rounds, seconds, log }: BenchOptions): Promise<BenchResult> {
  const target = await prepare(stack);
  const names = Object.keys(doors) as DoorName[];
  const rates = new Map<DoorName, number[]>();
  log('warming up');
  for (const name of names) await load(target, doors[name], 'warm', 2);
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names.toReversed() : names) {
      const { requestsPerSecond, cpuMs } = await load(target, doors[name], `${round}`, seconds);
      const { emails } = doors[name];
      const rate = requestsPerSecond * emails;
      rates.set(name, [...(rates.get(name) ?? []), rate]);
      log(
        `round ${round}, ${labels[name]}: ${rate.toFixed(0)} emails/s, ${(cpuMs / emails).toFixed(3)} ms CPU each`,
      );
    }
  }
  const series = names.map((name): Series => {
    const { against, atLeast }: Door = doors[name];
    return {
      unit: 'emails/s',
      label: labels[name],
      rounds: rates.get(name) ?? [],
      ...(against && { against: labels[against] }),
      ...(atLeast !== undefined && { goal: { atLeast } }),
    };
  });
  return {
    series,
    notes: [
      'Each email goes to a new recipient, with about 4 kB of HTML; 64 connections with one request at a time. Requests are written as the clients write them, by the same connection for all. The workers are stopped while this runs.',
    ],
  };
}

interface Target {
  origin: string;
  pids: number[];
  project: TestProject;
}

/** Only accepting is measured. */
async function prepare({ stack, postgres, db }: BenchStack): Promise<Target> {
  await stack.processes.worker.stop();
  const project = await createProject(db, { appSecret: stack.env.APP_SECRET ?? '', signed: false });
  return {
    origin: stack.urls.api.replace('localhost', '127.0.0.1'),
    pids: [stack.processes.api.pid ?? 0, postgres.pid],
    project,
  };
}

let sent = 0;

function load({ origin, pids, project }: Target, door: Door, run: string, seconds: number) {
  const { authorization, headers = {} } = door.credentialOf?.(project.secretKey) ?? {
    authorization: `Bearer ${project.secretKey}`,
  };
  const path = door.path.replace('{domain}', project.from.slice(project.from.lastIndexOf('@') + 1));
  const next = (): Email => {
    sent += 1;
    return {
      to: `${run}-${sent}@people.test`,
      from: project.from,
      subject: 'Your order',
      html: receiptBody,
    };
  };
  return loadHttp({
    connections: door.connections,
    open: () => openHttpConnection(origin, authorization, headers),
    warmUpSeconds: 2,
    seconds,
    request: (connection: HttpConnection) => connection.post(path, door.bodyOf(next)),
    status: door.status,
    cpu: () => cpuSeconds(pids),
  });
}
