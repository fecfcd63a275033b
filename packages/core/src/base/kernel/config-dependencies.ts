import { isLoopbackHost } from '../lib/loopback.rules.ts';
import { mailTransport } from '../providers/index.ts';

type Given = Readonly<Record<string, string | undefined>>;

/** Variables that production must set, because their defaults only suit one machine. */
const requiredInProduction = ['APP_SECRET', 'DATABASE_URL', 'TEMPORAL_ADDRESS'] as const;

/** Variables for a machine of a developer, which production refuses. */
const developmentOnly = [
  'DEMO_SECRET_KEY',
  'DEMO_PUBLIC_KEY',
  'DEMO_EMAIL',
  'DEMO_PASSWORD',
  'MAILBOX_URL',
] as const;

/** Variables that must be set together or not at all. */
const groups = [
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['SUBMISSION_TLS_CERT', 'SUBMISSION_TLS_KEY'],
] as const;

/**
 * Variables that other variables make necessary and that are missing (behaviour B10).
 *
 * @param given the environment without empty variables
 * @returns one problem per missing variable, which begins with its name
 */
export function missingVariables(given: Given): string[] {
  const problems: string[] = [];
  // Of an unknown provider only its name is a problem.
  const provider = mailTransport.safeParse(given['MAIL_TRANSPORT']).data;
  const required = Object.entries(provider?.required ?? {});
  if (given['NODE_ENV'] === 'production') {
    const ofProvider = required.filter(([, when]) => when === 'in production').map(([name]) => name);
    for (const name of [...requiredInProduction, ...ofProvider])
      if (given[name] === undefined) problems.push(`${name} is required in production`);
    for (const name of developmentOnly)
      if (given[name] !== undefined)
        problems.push(`${name} is for development and must not be set in production`);
  }
  problems.push(...loopbackProblems(given), ...mailboxProblems(given));
  for (const [name, when] of required)
    if (when === 'always' && given[name] === undefined)
      problems.push(`${name} is required with MAIL_TRANSPORT=${provider?.name}`);
  for (const group of groups) {
    const set = group.find((name) => given[name] !== undefined);
    if (set === undefined) continue;
    for (const name of group)
      if (given[name] === undefined) problems.push(`${name} is required when ${set} is set`);
  }
  return problems;
}

/** Webhooks to this machine are for a machine of a developer, which nobody else reaches. */
function loopbackProblems(given: Given): string[] {
  if (given['WEBHOOK_ALLOW_LOOPBACK'] !== 'true') return [];
  if (given['NODE_ENV'] === 'production')
    return ['WEBHOOK_ALLOW_LOOPBACK is for development and must not be true in production'];
  return URL.parse(given['API_URL'] ?? '')?.protocol === 'https:'
    ? ['WEBHOOK_ALLOW_LOOPBACK must not be true with an https API_URL, which others may reach']
    : [];
}

/** With the local mailbox no domain needs DNS, so no other server may be behind it. */
function mailboxProblems(given: Given): string[] {
  if (given['MAILBOX_URL'] === undefined) return [];
  const server = URL.parse(given['SMTP_URL'] ?? 'smtp://127.0.0.1:1025');
  const isHere = server !== null && isLoopbackHost(server.hostname.replace(/^\[|\]$/g, ''));
  return isHere && (given['MAIL_TRANSPORT'] ?? 'smtp') === 'smtp'
    ? []
    : ['MAILBOX_URL is the local mailbox of `npm start` and must not be set with another mail server'];
}
