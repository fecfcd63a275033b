import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { providerNames } from '../providers/index.ts';
import { ConfigError, coreEnv, readConfig } from './config.ts';

const enough = { DATABASE_URL: 'postgres://localhost/postrider', APP_SECRET: 'x'.repeat(32) };

function problemsOf(env: Record<string, string | undefined>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe.each(['EVENT_DAYS', 'EMAIL_DAYS'] as const)('%s', (name) => {
  it('keeps everything for ever unless it is set, and for 400 days at least', () => {
    expect(readConfig(enough)[name]).toBeUndefined();
    expect(readConfig({ ...enough, [name]: '400' })[name]).toBe(400);
    expect(problemsOf({ ...enough, [name]: '399' })).toContain(name);
  });
});

describe('defaults (B10)', () => {
  it('are enough with a database and a secret', () => {
    expect(readConfig(enough)).toMatchObject({
      PORT: 3000,
      API_URL: 'http://localhost:3000',
      DASHBOARD_URL: 'http://localhost:3000',
      LINKS_URL: 'http://localhost:3000',
      MAIL_HOST: 'localhost',
      PLATFORM_FROM: 'Postrider <postrider@localhost>',
      sandboxFrom: 'sandbox@localhost',
      mailProvider: { name: 'smtp' },
      RATE_LIMIT_PER_MINUTE: 1000,
      SEND_RATE_PER_SECOND: 100,
      IDEMPOTENCY_TTL_HOURS: 24,
      SIGNUPS_DISABLED: false,
      dnsServers: [],
      previousSecrets: [],
    });
  });

  it('follow API_URL and PORT', () => {
    expect(readConfig({ ...enough, PORT: '4100' }).API_URL).toBe('http://localhost:4100');
    expect(readConfig({ ...enough, API_URL: 'https://api.sender.net/' })).toMatchObject({
      API_URL: 'https://api.sender.net',
      DASHBOARD_URL: 'https://api.sender.net',
      LINKS_URL: 'https://api.sender.net',
      MAIL_HOST: 'api.sender.net',
      PLATFORM_FROM: 'Postrider <postrider@api.sender.net>',
      sandboxFrom: 'sandbox@api.sender.net',
    });
  });

  it('count for empty values too', () => {
    expect(readConfig({ ...enough, PORT: '', API_URL: '', SIGNUPS_DISABLED: '' })).toMatchObject({
      PORT: 3000,
    });
  });
});

it.each([
  [{}, false],
  [{ BOUNCE_PORT: '2526' }, true],
  [{ MAIL_TRANSPORT: 'ses', AWS_REGION: 'eu-central-1', BOUNCE_PORT: '2526' }, false],
  [{ SNS_TOPIC_ARNS: 'arn:aws:sns:eu-central-1:123456789012:mail' }, true],
])('with %o, reports are received: %s', (env, received) => {
  expect(readConfig({ ...enough, ...env }).reportsReceived).toBe(received);
});

it.each(['192.0.2.1', '10.0.0.0/8, 2001:db8::/32'])('REPORT_SOURCES %j', (REPORT_SOURCES) => {
  expect(problemsOf({ ...enough, REPORT_SOURCES })).toBe('');
});

it.each(['relay.example', '10.0.0.0/33', '10.0.0', '192.0.2.1;192.0.2.2'])(
  'REPORT_SOURCES %j stops the start',
  (REPORT_SOURCES) => {
    expect(problemsOf({ ...enough, REPORT_SOURCES })).toContain('REPORT_SOURCES must be');
  },
);

it('lists are split at commas', () => {
  const secrets = ['a'.repeat(32), 'b'.repeat(40)];
  const config = readConfig({
    ...enough,
    DNS_SERVERS: '127.0.0.1:53, [::1]:5353,',
    APP_SECRET_PREVIOUS: secrets.join(', '),
  });
  expect(config.dnsServers).toEqual(['127.0.0.1:53', '[::1]:5353']);
  expect(config.previousSecrets).toEqual(secrets);
});

it.each([
  ['MAIL_HOST', 'mail.sender.net'],
  ['MAIL_HOST', '203.0.113.7'],
  ['DNS_SERVERS', '127.0.0.1, ::1, [::1]:5353'],
  ['WEBHOOK_ALLOWED_HOSTS', 'Hooks.internal:8080,127.0.0.1:80,[::1]:80'],
  ['PLATFORM_FROM', 'postrider@localhost'],
  ['PLATFORM_FROM', 'The "Post" <postrider@sender.net>'],
  ['TRUST_PROXY', '10.0.0.0/8, ::1'],
])('%s=%s is well-formed', (name, value) => {
  expect(problemsOf({ ...enough, [name]: value })).toBe('');
});

it.each([
  [undefined, false],
  ['2', 2],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
])('TRUST_PROXY=%s', (given, trusted) => {
  expect(readConfig({ ...enough, TRUST_PROXY: given }).trustedProxies).toEqual(trusted);
});

describe('a malformed value stops the start and names the variable', () => {
  it.each([
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['APP_SECRET', 'short'],
    ['APP_SECRET_PREVIOUS', 'short'],
    ['APP_SECRET_PREVIOUS', `${'a'.repeat(32)},short`],
    ['TEMPORAL_ADDRESS', 'temporal'],
    ['TEMPORAL_ADDRESS', 'http://temporal:7233'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['API_URL', 'sender.net'],
    ['API_URL', 'ftp://sender.net'],
    ['SIGNUPS_DISABLED', 'yes'],
    ['SIGNUPS_DISABLED', 'TRUE'],
    ['VERIFY_SIGNUP_EMAIL', '1'],
    ['MAIL_TRANSPORT', 'pigeon'],
    ['AWS_REGION', 'eu central'],
    ['SES_CONFIGURATION_SET', 'two words'],
    ['MAIL_HOST', 'https://mail.sender.net'],
    ['MAIL_HOST', 'mail_server'],
    ['DNS_SERVERS', 'dns.sender.net'],
    ['DNS_SERVERS', '127.0.0.1:53,nonsense'],
    ['DNS_SERVERS', '127.0.0.1:99999'],
    ['WEBHOOK_ALLOWED_HOSTS', 'sender.net'],
    ['WEBHOOK_ALLOWED_HOSTS', 'http://sender.net:80'],
    ['PLATFORM_FROM', 'Postrider'],
    ['PLATFORM_FROM', 'Postrider <postrider>'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'proxy.sender.net'],
    ['SMTP_URL', 'localhost:25'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['GRAPHQL_PERSISTED_ONLY', 'sometimes'],
    ['MAX_PROJECTS_PER_USER', '0'],
    ['MAX_DOMAINS_PER_PROJECT', 'many'],
    ['SEND_RATE_PER_SECOND', '-1'],
    ['SNS_TOPIC_ARNS', 'mail'],
    ['SNS_TOPIC_ARNS', 'arn:aws:sqs:eu-central-1:123456789012:mail'],
    ['S3_ENDPOINT', 's3.example'],
    ['S3_PUBLIC_URL', 'ftp://cdn.example'],
    ['S3_REGION', 'eu central'],
    ['S3_FORCE_PATH_STYLE', 'yes'],
    ['OIDC_ISSUER', 'http://login.sender.net'],
    ['OIDC_ISSUER', 'https://login.sender.net/?tenant=1'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    expect(problemsOf({ ...enough, [name]: value })).toContain(`- ${name} `);
  });

  it('all at once', () => {
    const problems = problemsOf({ PORT: 'x', APP_SECRET: 'short' });
    for (const name of ['DATABASE_URL', 'PORT', 'APP_SECRET']) expect(problems).toContain(`- ${name} `);
  });
});

describe('one variable of a group asks for the others', () => {
  it.each([
    ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
    ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    ['GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID'],
    ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
    ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    ['AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'],
  ])('%s without %s', (given, missing) => {
    expect(problemsOf({ ...enough, [given]: 'x' })).toContain(
      `- ${missing} is required when ${given} is set`,
    );
  });
});

describe('what is for development', () => {
  const development = {
    DEMO_SECRET_KEY: `sk_${'0'.repeat(64)}`,
    DEMO_PUBLIC_KEY: `pk_${'1'.repeat(64)}`,
    DEMO_EMAIL: 'dev@shop.example',
    DEMO_PASSWORD: 'correct horse',
    MAILBOX_URL: 'http://localhost:8025',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
  };

  it('is accepted on the machine of a developer', () => {
    expect(problemsOf({ ...enough, ...development })).toBe('');
    expect(readConfig(enough)).toMatchObject({ WEBHOOK_ALLOW_LOOPBACK: false, mailboxUrl: null });
  });

  it.each(Object.entries(development))('%s stops a start in production', (name, value) => {
    expect(problemsOf({ ...enough, NODE_ENV: 'production', [name]: value })).toContain(
      `- ${name} is for development`,
    );
  });

  it('webhooks to this machine can be turned off anywhere, and are never on where others reach the API', () => {
    expect(problemsOf({ ...enough, NODE_ENV: 'production', WEBHOOK_ALLOW_LOOPBACK: 'false' })).not.toContain(
      'LOOPBACK',
    );
    expect(
      problemsOf({ ...enough, API_URL: 'https://api.shop.example', WEBHOOK_ALLOW_LOOPBACK: 'true' }),
    ).toContain('- WEBHOOK_ALLOW_LOOPBACK must not be true');
  });

  it.each([{ SMTP_URL: 'smtp://relay.example:25' }, { MAIL_TRANSPORT: 'ses', AWS_REGION: 'eu-central-1' }])(
    'the local mailbox is not behind %j',
    (server) => {
      const { MAILBOX_URL } = development;
      expect(problemsOf({ ...enough, MAILBOX_URL, ...server })).toContain(
        '- MAILBOX_URL is the local mailbox',
      );
    },
  );
});

describe('every variable', () => {
  const root = join(import.meta.dirname, '../../../../..');
  const names = Object.keys(coreEnv.shape).filter((name) => name !== 'NODE_ENV');

  it.each(['README.md', '.env.example', 'docs/behaviour.md'])('is described in %s', (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });
});

describe('sign-in providers', () => {
  const client = (name: string) => ({ [`${name}_CLIENT_ID`]: 'id', [`${name}_CLIENT_SECRET`]: 'secret' });

  it('are those whose variables are set', () => {
    expect(readConfig(enough).signInProviders).toEqual({});
    const env = { ...client('GITHUB'), ...client('OIDC'), OIDC_ISSUER: 'https://login.sender.net' };
    expect(readConfig({ ...enough, ...env }).signInProviders).toEqual({
      github: {
        issuer: 'https://github.com/login/oauth',
        apiUrl: 'https://api.github.com',
        clientId: 'id',
        clientSecret: 'secret',
      },
      oidc: { issuer: 'https://login.sender.net', clientId: 'id', clientSecret: 'secret' },
    });
  });
});

it('an unknown provider stops the start, and only the ones that exist are named', () => {
  const problems = problemsOf({ ...enough, MAIL_TRANSPORT: 'pigeon', NODE_ENV: 'production' });
  expect(problems).toContain(`- MAIL_TRANSPORT must be one of ${providerNames.join(', ')}, but is "pigeon"`);
  expect(problems).not.toMatch(/SMTP_URL|AWS_REGION/);
});

it('MAIL_TRANSPORT=ses asks for AWS_REGION', () => {
  const ses = { ...enough, MAIL_TRANSPORT: 'ses' };
  expect(problemsOf(ses)).toContain('- AWS_REGION is required with MAIL_TRANSPORT=ses');
  expect(readConfig({ ...ses, AWS_REGION: 'eu-central-1' })).toMatchObject({
    mailProvider: { name: 'ses' },
  });
});

describe('production', () => {
  const production = { NODE_ENV: 'production' };
  it('disables sign-ups unless the variable says otherwise', () => {
    const env = { ...enough, ...production, TEMPORAL_ADDRESS: 'temporal:7233', SMTP_URL: 'smtp://mail' };
    expect(readConfig(env).SIGNUPS_DISABLED).toBe(true);
    expect(readConfig({ ...env, SIGNUPS_DISABLED: 'false' }).SIGNUPS_DISABLED).toBe(false);
  });

  it('refuses to start without the required variables, listed in one message', () => {
    const problems = problemsOf(production);
    for (const name of ['APP_SECRET', 'DATABASE_URL', 'TEMPORAL_ADDRESS', 'SMTP_URL']) {
      expect(problems.match(new RegExp(`- ${name} `, 'g'))).toHaveLength(1);
    }
  });
});
