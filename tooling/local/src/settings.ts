import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { usesMailServer } from './mail-provider.ts';
import { ROOT } from './root.ts';
import type { StackPorts } from './stack.ts';

/** The settings that `npm start` reads from the environment; all others are passed to api and worker unchanged. */
export interface Settings {
  dataDir: string;
  ports: StackPorts;
  env: Record<string, string>;
}

const PORTS = {
  PORT: 3000,
  MAILBOX_PORT: 8025,
  MAILBOX_SMTP_PORT: 1025,
  TEMPORAL_PORT: 7233,
  TEMPORAL_UI_PORT: undefined,
  POSTGRES_PORT: undefined,
  BOUNCE_PORT: 2526,
  SUBMISSION_PORT: 2587,
} as const;

/** Settings from the environment, then from the file `.env` of the repository. Throws one error naming every malformed variable. */
export async function readSettings(
  given: NodeJS.ProcessEnv,
  envFile = join(ROOT, '.env'),
): Promise<Settings> {
  const file = parseEnv(await readFile(envFile, 'utf8').catch(onlyMissing));
  // An empty value is the same as no value.
  const env = Object.fromEntries(
    Object.entries({ ...file, ...given }).filter(
      (entry): entry is [string, string] => (entry[1] ?? '') !== '',
    ),
  );
  const problems = [...sizeProblems(env), ...profileProblems(env)];
  const port = <Name extends keyof typeof PORTS>(name: Name): number | (typeof PORTS)[Name] => {
    const text = env[name];
    if (text === undefined) return PORTS[name];
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > 65_535) {
      problems.push(`${name} must be a port number from 1 to 65535, but is "${text}".`);
    }
    return value;
  };
  const settings: Settings = {
    dataDir: resolve(ROOT, env.DATA_DIR ?? '.postrider'),
    ports: {
      api: port('PORT'),
      mailbox: port('MAILBOX_PORT'),
      mailboxSmtp: port('MAILBOX_SMTP_PORT'),
      temporal: port('TEMPORAL_PORT'),
      temporalUi: port('TEMPORAL_UI_PORT'),
      postgres: port('POSTGRES_PORT'),
      bounces: port('BOUNCE_PORT'),
      submission: port('SUBMISSION_PORT'),
    },
    env,
  };
  for (const name of ['DATABASE_URL', 'APP_SECRET', 'SMTP_URL', 'METRICS_TOKEN'])
    if (env[`${name}_FILE`] !== undefined)
      problems.push(
        `${name}_FILE is for processes that are started by themselves: set ${name} for \`npm start\`.`,
      );
  problems.push(...urlProblems(env), ...productionProblems(env), ...demoProblems(env));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return settings;
}

/** In MB: a heap or a machine that is smaller holds none of the programs. */
const SIZES: Record<string, number> = { MEMORY_MB: 512, HEAP_MB: 128 };

const sizeProblems = (env: Record<string, string>): string[] =>
  Object.entries(SIZES).flatMap(([name, least]) =>
    env[name] === undefined || (/^\d+$/.test(env[name]) && Number(env[name]) >= least)
      ? []
      : [`${name} must be a number of megabytes from ${least}, but is "${env[name]}".`],
  );

const profileProblems = ({ PROFILE }: Record<string, string>): string[] =>
  PROFILE === undefined || ['standard', 'small'].includes(PROFILE)
    ? []
    : [`PROFILE must be standard or small, but is "${PROFILE}".`];

const SCHEMES: Record<string, string[]> = {
  DATABASE_URL: ['postgres:', 'postgresql:'],
  SMTP_URL: ['smtp:', 'smtps:'],
  API_URL: ['http:', 'https:'],
};

function urlProblems(env: Record<string, string>): string[] {
  return Object.entries(SCHEMES).flatMap(([name, schemes]) => {
    const value = env[name];
    // The address of a database may name several servers, which no URL of the standard does.
    const one = name === 'DATABASE_URL' ? value?.replace(/,[^/?#]*/, '') : value;
    if (one === undefined || schemes.includes(URL.parse(one)?.protocol ?? '')) return [];
    return [
      `${name} must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`,
    ];
  });
}

/** Production requires explicit settings: data in an embedded server would be lost with the machine. */
function productionProblems(env: Record<string, string>): string[] {
  if (env.NODE_ENV !== 'production') return [];
  const needed = ['APP_SECRET', 'DATABASE_URL', 'TEMPORAL_ADDRESS'];
  if (usesMailServer(env)) needed.push('SMTP_URL');
  const refused = [...Object.keys(DEMO), 'MAILBOX_URL'].filter((name) => env[name] !== undefined);
  if (env.WEBHOOK_ALLOW_LOOPBACK === 'true') refused.push('WEBHOOK_ALLOW_LOOPBACK');
  return [
    ...needed
      .filter((name) => env[name] === undefined)
      .map((name) => `${name} must be set with NODE_ENV=production.`),
    ...refused.map((name) => `${name} is for development and must not be set with NODE_ENV=production.`),
  ];
}

/** What the login and the keys of the demo account may be set to. */
const DEMO: Record<string, { pattern: RegExp; form: string }> = {
  DEMO_SECRET_KEY: { pattern: /^sk_[0-9a-f]{64}$/, form: 'sk_ and 64 lower-case hex digits' },
  DEMO_PUBLIC_KEY: { pattern: /^pk_[0-9a-f]{64}$/, form: 'pk_ and 64 lower-case hex digits' },
  DEMO_EMAIL: { pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/, form: 'an email address' },
  DEMO_PASSWORD: { pattern: /^.{8,128}$/s, form: '8 to 128 characters' },
};

const demoProblems = (env: Record<string, string>): string[] =>
  Object.entries(DEMO).flatMap(([name, { pattern, form }]) =>
    env[name] === undefined || pattern.test(env[name]) ? [] : [`${name} must be ${form}.`],
  );

function onlyMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
