import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allChecks, concealer, runChecks } from '@postrider/core/insight/findings';
import { describe, expect, it } from 'vitest';
import { runAdmin } from '../run-admin.ts';
import { diagnose, found, soundEnv } from './diagnose.fixture.ts';

const configuration = { groups: ['configuration'] } as const;
const production = {
  ...soundEnv,
  NODE_ENV: 'production',
  TEMPORAL_ADDRESS: 'temporal:7233',
  SMTP_URL: 'smtps://user:secret-of-relay@relay.example',
  API_URL: 'https://mail.example',
  TRUST_PROXY: '1',
};

async function admin(environment: Record<string, string | undefined>, ...args: string[]) {
  const lines = { out: [] as string[], err: [] as string[] };
  const code = await runAdmin(['doctor', ...args], {
    env: () => {
      throw new Error('doctor needs no valid environment');
    },
    environment: () => environment,
    out: (line) => lines.out.push(line),
    err: (line) => lines.err.push(line),
  });
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

it.each([
  ['a machine of a developer', soundEnv],
  ['production behind a proxy', production],
])('%s that is set up well has no finding above advice', async (_, env) => {
  const findings = await diagnose(env, configuration);
  expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
  expect(await admin(env, '--only', 'configuration')).toMatchObject({ code: 0 });
});

describe('a planted fault is found by name, with cause and action', () => {
  it.each([
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['APP_SECRET', 'short'],
    ['SMTP_URL', 'localhost:25'],
    ['MAIL_TRANSPORT', 'pigeon'],
    ['API_URL', 'mail.example'],
    ['SIGNUPS_DISABLED', 'yes'],
    // of the worker alone
    ['SMTP_CONNECTIONS', '2'],
    ['ROUTE_PROBE_SECONDS', '5,soon'],
  ])('%s=%s', async (name, value) => {
    const [finding, ...others] = found(
      await diagnose({ ...soundEnv, [name]: value }, configuration),
      'configuration.variables',
    );
    expect(finding).toMatchObject({ verdict: 'failure', subject: name });
    expect(others).toEqual([]);
  });

  it('several at once, each by itself', async () => {
    const findings = await diagnose(
      { ...soundEnv, PORT: '-1', DATA_DIR: '', S3_ACCESS_KEY_ID: 'AKIA', SMTP_CONNECTIONS: '1' },
      configuration,
    );
    expect(found(findings, 'configuration.variables').map(({ subject }) => subject)).toEqual([
      'S3_SECRET_ACCESS_KEY',
      'PORT',
      'SMTP_CONNECTIONS',
    ]);
  });

  it('what production refuses and needs', async () => {
    const { TEMPORAL_ADDRESS: _, ...lacking } = production;
    const findings = await diagnose({ ...lacking, MAILBOX_URL: 'http://localhost:8025' }, configuration);
    expect(found(findings, 'configuration.variables').map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['TEMPORAL_ADDRESS', 'MAILBOX_URL']),
    );
  });

  it.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['API_URI', 'API_URL'],
    ['TRUST_PROXIES', null],
    ['TRUSTPROXY', 'TRUST_PROXY'],
    ['POSTRIDER_MAIL_HOST', 'MAIL_HOST'],
    ['mail_host', 'MAIL_HOST'],
    ['BOUNCE_PROT', 'BOUNCE_PORT'],
    ['HOSTNAME', null],
    ['POSTGRES_PORT', null],
    ['LANG', null],
  ])('the name %s', async (name, meant) => {
    const findings = found(
      await diagnose({ ...soundEnv, [name]: '1' }, configuration),
      'configuration.names',
    );
    if (meant === null) expect(findings).toMatchObject([{ verdict: 'ok' }]);
    else
      expect(findings).toMatchObject([
        { verdict: 'warning', subject: name, action: expect.stringContaining(meant) },
      ]);
  });

  it('a name like a variable that is set as well is of another program', async () => {
    const findings = await diagnose(
      { ...soundEnv, MAIL_HOST: 'mail.example', MAIL_HOSTS: 'a' },
      configuration,
    );
    expect(found(findings, 'configuration.names')).toMatchObject([{ verdict: 'ok' }]);
  });

  it('production without https', async () => {
    const findings = await diagnose(
      { ...production, API_URL: 'http://mail.example', LINKS_URL: 'http://go.example' },
      configuration,
    );
    expect(found(findings, 'configuration.https')).toMatchObject([
      { verdict: 'warning', subject: 'API_URL' },
      { verdict: 'warning', subject: 'LINKS_URL' },
    ]);
  });

  it('production behind a proxy that is not trusted', async () => {
    const findings = await diagnose({ ...production, TRUST_PROXY: undefined }, configuration);
    expect(found(findings, 'configuration.proxy')).toMatchObject([
      { verdict: 'warning', subject: 'TRUST_PROXY' },
    ]);
  });
});

it('a check that needs a wrong variable is not made, and the others are', async () => {
  const groups = ['configuration', 'postgres'] as const;
  const findings = await diagnose({ ...soundEnv, DATABASE_URL: 'nonsense', TRUST_PROXY: 'true' }, { groups });
  expect(found(findings, 'configuration.names')).toMatchObject([{ verdict: 'ok' }]);
  expect(found(findings, 'configuration.proxy')).toMatchObject([
    { verdict: 'unknown', action: expect.stringContaining('TRUST_PROXY') },
  ]);
  expect(found(findings, 'postgres.version')).toMatchObject([
    { verdict: 'unknown', action: expect.stringContaining('DATABASE_URL') },
  ]);
});

describe('exit codes', () => {
  it('1 with a warning, 2 with a failure', async () => {
    expect((await admin({ ...soundEnv, SMPT_URL: 'x' }, '--only', 'configuration')).code).toBe(1);
    expect((await admin({ ...soundEnv, PORT: 'x', SMPT_URL: 'x' }, '--only', 'configuration')).code).toBe(2);
  });

  it.each([[['--only', 'weather']], [['--timeout', '0']], [['--timeout', 'soon']], [['--fast']], [['now']]])(
    '3 with %j, which runs nothing',
    async (args) => {
      const { code, out, err } = await admin(soundEnv, ...args);
      expect({ code, out }).toEqual({ code: 3, out: '' });
      expect(err).toContain('doctor');
    },
  );
});

describe('output', () => {
  it('for people has a line for each finding that is not ok, with cause and action, and a summary', async () => {
    const { out } = await admin({ ...soundEnv, PORT: 'x' }, '--only', 'configuration');
    expect(out.split('\n')).toEqual([
      'Configuration',
      expect.stringMatching(/^ {2}failure {2}PORT: PORT /),
      expect.stringContaining('No process starts'),
      expect.stringContaining('→ Correct PORT'),
      expect.stringContaining('docs/operation.md, "Configuration: variables"'),
      '',
      expect.stringMatching(/^1 failure, 3 ok \(\d/),
    ]);
  });

  it('for people tells once of checks that could not be made for one reason', async () => {
    const { out } = await admin({}, '--only', 'postgres');
    expect(out.split('\n').slice(0, 3)).toEqual([
      'PostgreSQL',
      expect.stringMatching(/^ {2}unknown {2}\d+ checks: not made: reachable, version, .*clock$/),
      expect.stringContaining('DATABASE_URL has no usable value'),
    ]);
    expect((await admin({}, '--only', 'configuration')).out).toContain('DATABASE_URL is not set');
  });

  it('for programs is one line of JSON', async () => {
    const { out } = await admin({ ...soundEnv, PORT: 'x' }, '--only', 'configuration', '--json');
    const { version, at, findings } = JSON.parse(out);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Date.parse(at)).toBeGreaterThan(0);
    expect(Object.keys(findings[0]).sort()).toEqual([
      'action',
      'cause',
      'check',
      'found',
      'ms',
      'reference',
      'subject',
      'verdict',
    ]);
  });

  it('has no secret, whatever is wrong', async () => {
    const secrets = {
      DATABASE_URL: 'postgres://user:pass%40of-database@127.0.0.1:1/x',
      APP_SECRET: 'too-short-secret',
      APP_SECRET_PREVIOUS: 'also-short-1,also-short-2',
      SMTP_URL: 'http://user:pass-of-relay@relay.example',
      API_URL: 'http//user:pass-of-api@mail.example',
      METRICS_TOKEN: 'metrics-tok',
      DEMO_SECRET_KEY: 'sk_not-hex',
      MAIL_TRANSPORT: 'smtp://user:pass-in-wrong-place@relay.example',
      SMPT_URL: 'smtp://user:pass-of-misspelt@relay.example',
    };
    const [json, text] = await Promise.all([admin(secrets, '--json'), admin(secrets)]);
    const output = [json.out, json.err, text.out, text.err].join('\n');
    for (const secret of [
      ...[
        'pass%40of-database',
        'pass@of-database',
        'too-short-secret',
        'also-short',
        'pass-of-relay',
        'pass-of-api',
      ],
      ...['metrics-tok', 'sk_not-hex', 'pass-in-wrong-place', 'pass-of-misspelt'],
    ])
      expect(output).not.toContain(secret);
  });
});

it('secrets are taken out of what servers repeat', () => {
  const conceal = concealer({ SMTP_URL: 'smtp://joe:pa%3Ass@relay', TEMPORAL_API_KEY: 'key-of-temporal' });
  expect(conceal('535 pa:ss and pa%3Ass, cGE6c3M=, key-of-temporal at amqp://a:b@c/')).toBe(
    '535 *** and ***, ***, *** at amqp://***@c/',
  );
});

it('a check that does not end is unknown after its time, and is told to stop', async () => {
  const stopped = Promise.withResolvers<void>();
  const hanging = {
    group: 'queues',
    name: 'hanging',
    reference: 'x',
    run: (_: null, signal: AbortSignal) => {
      signal.addEventListener('abort', () => stopped.resolve());
      return new Promise<never>(() => undefined);
    },
  } as const;
  const options = { timeoutMs: 50, broken: new Set<string>(), conceal: (text: string) => text };
  expect(await runChecks([hanging], null, options)).toMatchObject([
    { check: 'queues.hanging', verdict: 'unknown', cause: expect.stringContaining('0.05 s') },
  ]);
  await stopped.promise;
});

it('every check has its heading in docs/operation.md, and every heading its check', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../../docs/operation.md'), 'utf8');
  const headings = [...text.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  // Those of alerts are compared with the rules of Prometheus.
  expect(headings.filter((heading) => !heading?.startsWith('Alerts: '))).toEqual(
    allChecks.map(({ reference }) => reference),
  );
});
