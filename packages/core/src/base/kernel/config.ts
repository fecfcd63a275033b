import { z } from 'zod';
import { problemOfDatabase } from '../lib/database-servers.rules.ts';
import { regionName } from '../lib/region-name.rules.ts';
import { splitList } from '../lib/split-list.rules.ts';
import { type MailProvider, mailTransport, providerVariables } from '../providers/index.ts';
import { missingVariables } from './config-dependencies.ts';
import {
  hostOfSender,
  isDnsServer,
  isHost,
  isHostWithPort,
  isIssuer,
  isRange,
  isSender,
  isTopicArn,
  isTrustedProxies,
} from './config-values.ts';
import { readHeaders } from './otlp-headers.rules.ts';
import { withFiles } from './secret-files.ts';
import { type SignInProviders, signInProvidersOf } from './sign-in-providers.ts';

const boolean = z.enum(['true', 'false']).transform((value) => value === 'true');
const positiveInt = z.coerce.number().int().positive();
const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

const listOf = (isEntry: (value: string) => boolean, message: string) =>
  z.string().refine((value) => splitList(value).every(isEntry), message);

/** In characters. Previous secrets had the same limit; a shorter entry is a part of one. */
const shortestSecret = 32;

/** Which traces are exported, by the names of OpenTelemetry. With `parentbased_` the caller's part of a trace decides, if there is one. */
const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

/** The environment variables (behaviour B10) that core reads. Apps add their own. */
export const coreEnv = z.object({
  NODE_ENV: z.string().default('development'),
  PROFILE: z.enum(['standard', 'small']).default('standard'),
  DATABASE_URL: z.string().check(({ value, issues }) => {
    const message = problemOfDatabase(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  }),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/]+:\d{1,5}$/, 'must be host:port')
    .default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_API_KEY: z.string().optional(),
  MAIL_TRANSPORT: mailTransport,
  ...providerVariables,
  MAIL_HOST: z.string().refine(isHost, 'must be a host name or an address').optional(),
  SNS_TOPIC_ARNS: listOf(isTopicArn, 'must be a comma-separated list of topic ARNs').optional(),
  HOST: z.string().refine(isHost, 'must be a host name or an address').default('::'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  API_URL: url.optional(),
  DASHBOARD_URL: url.optional(),
  LINKS_URL: url.optional(),
  APP_SECRET: z.string().min(shortestSecret, `must have at least ${shortestSecret} characters`),
  APP_SECRET_PREVIOUS: listOf(
    (secret) => secret.length >= shortestSecret,
    `must be a comma-separated list of secrets with at least ${shortestSecret} characters each`,
  ).optional(),
  DATA_DIR: z.string().default('.postrider'),
  PG_BIN: z.string().optional(),
  DNS_SERVERS: listOf(isDnsServer, 'must be a comma-separated list of ip:port').optional(),
  SIGNUPS_DISABLED: boolean.optional(),
  VERIFY_SIGNUP_EMAIL: boolean.default(false),
  TRUST_PROXY: z
    .string()
    .refine(
      isTrustedProxies,
      'must be a number of proxies, or a comma-separated list of addresses and ranges',
    )
    .optional(),
  PLATFORM_FROM: z.string().refine(isSender, 'must be an address, or Name <address>').optional(),
  OPERATOR_EMAIL: z.email('must be an address').optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  OIDC_ISSUER: z.string().refine(isIssuer, 'must be an https:// URL without query or fragment').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: regionName.optional(),
  S3_ENDPOINT: url.optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PUBLIC_URL: url.optional(),
  S3_FORCE_PATH_STYLE: boolean.default(false),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: url.optional(),
  AUTO_PROJECT_DISABLE: boolean.default(true),
  NEW_PROJECT_RAMP: z.coerce.number().int().positive().max(1_000_000).optional(),
  MAX_PROJECTS_PER_USER: positiveInt.default(1000),
  MAX_STORAGE_MB_PER_OWNER: positiveInt.optional(),
  MAX_DOMAINS_PER_PROJECT: positiveInt.default(100),
  RATE_LIMIT_PER_MINUTE: positiveInt.default(1000),
  GRAPHQL_PERSISTED_ONLY: boolean.default(false),
  SEND_RATE_PER_SECOND: positiveInt.default(100),
  IDEMPOTENCY_TTL_HOURS: z.coerce.number().positive().default(24),
  ATTACHMENTS_MAX_COUNT: positiveInt.default(10),
  ATTACHMENTS_MAX_MB: z.coerce.number().positive().default(10),
  MESSAGE_MAX_MB: z.coerce.number().positive().default(40),
  MAIL_WORKERS: z.coerce.number().int().min(0).optional(),
  BOUNCE_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SUBMISSION_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SUBMISSION_TLS_CERT: z.string().optional(),
  SUBMISSION_TLS_KEY: z.string().optional(),
  REPORT_SOURCES: listOf(isRange, 'must be a comma-separated list of addresses and ranges').optional(),
  WEBHOOK_ALLOWED_HOSTS: listOf(isHostWithPort, 'must be a comma-separated list of host:port').optional(),
  REQUEST_LOG_DAYS: z.coerce.number().int().min(0).max(90).default(7),
  REQUEST_LOG_MAX_MB: positiveInt.default(1024),
  EVENT_DAYS: z.coerce.number().int().min(400).optional(),
  EMAIL_DAYS: z.coerce.number().int().min(400).optional(),
  WEBHOOK_ALLOW_LOOPBACK: boolean.default(false),
  MAILBOX_URL: url.optional(),
  DEMO_SECRET_KEY: z
    .string()
    .regex(/^sk_[0-9a-f]{64}$/, 'must be sk_ and 64 lower-case hex digits')
    .optional(),
  DEMO_PUBLIC_KEY: z
    .string()
    .regex(/^pk_[0-9a-f]{64}$/, 'must be pk_ and 64 lower-case hex digits')
    .optional(),
  DEMO_EMAIL: z.email('must be an address').optional(),
  DEMO_PASSWORD: z.string().min(8, 'must have at least 8 characters').max(128).optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  DATABASE_URL_FILE: z.string().optional(),
  APP_SECRET_FILE: z.string().optional(),
  SMTP_URL_FILE: z.string().optional(),
  METRICS_TOKEN_FILE: z.string().optional(),
  MIGRATE: z.enum(['auto', 'manual']).default('auto'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine((text) => readHeaders(text) !== null, 'must be name=value pairs, separated by commas')
    .optional(),
  OTEL_SERVICE_NAME: z.string().max(100).default('postrider'),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_traceidratio'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(0.01),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(5),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type CoreEnv = z.output<typeof coreEnv>;

/** The environment with the values derived from it that several places need. */
export interface CoreConfig extends Omit<CoreEnv, 'MAIL_TRANSPORT'> {
  API_URL: string;
  DASHBOARD_URL: string;
  LINKS_URL: string;
  MAIL_HOST: string;
  PLATFORM_FROM: string;
  SIGNUPS_DISABLED: boolean;
  /** what email is handed to */
  mailProvider: MailProvider;
  /** providers of sign-in, each with its client at the provider */
  signInProviders: SignInProviders;
  /** the sender that every project may use without a domain of its own (behaviour B11.4) */
  sandboxFrom: string;
  dnsServers: string[];
  /** `host:port` exempt from the address check of outgoing requests (behaviour B6.5) */
  webhookAllowedHosts: string[];
  previousSecrets: string[];
  /** addresses and ranges of servers whose own reports are believed, besides those of the host of `SMTP_URL` (behaviour B11.7) */
  reportSources: string[];
  /** whether emails are billed and capped (behaviour B4.18) */
  billingEnabled: boolean;
  /** the topics whose notifications are accepted */
  snsTopicArns: string[];
  /** whether bounces and complaints that come after the hand-over are received, in the way of the provider */
  reportsReceived: boolean;
  /** the local mailbox that takes all email of a development installation; null with a real server */
  mailboxUrl: string | null;
  /** the proxies whose `X-Forwarded-For` is trusted: false for none, their number, or their addresses and ranges */
  trustedProxies: false | number | string[];
}

/** An invalid configuration: lists every problem with the name of its variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: string[]) {
    super(`The environment is not usable:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The core's part of the environment; files that it names are read. @throws ConfigError naming every bad variable */
export function readConfig(env: Environment): CoreConfig {
  const { env: whole, problems } = withFiles(env);
  return derive(parseEnv(coreEnv, whole, (given) => [...problems, ...missingVariables(given)]));
}

/**
 * Parses variables; an empty one counts as unset.
 *
 * @param furtherProblems of the variables together, given those that are set
 * @throws ConfigError naming every bad variable
 */
export function parseEnv<Schema extends z.ZodType>(
  schema: Schema,
  env: Environment,
  furtherProblems: (given: Record<string, string>) => string[] = () => [],
): z.output<Schema> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && value !== '') given[name] = value;
  const problems = furtherProblems(given);
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = issue.path.join('.');
      if (!problems.some((line) => line.startsWith(`${name} `))) problems.push(`${name} ${issue.message}`);
    }
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return parsed.data;
}

function derive({ MAIL_TRANSPORT: mailProvider, ...env }: CoreEnv): CoreConfig {
  const apiUrl = env.API_URL ?? `http://localhost:${env.PORT}`;
  const host = new URL(apiUrl).hostname;
  const platformFrom = env.PLATFORM_FROM ?? `Postrider <postrider@${host}>`;
  const mailHost = env.MAIL_HOST ?? host;
  return {
    ...env,
    API_URL: apiUrl,
    DASHBOARD_URL: env.DASHBOARD_URL ?? apiUrl,
    LINKS_URL: env.LINKS_URL ?? apiUrl,
    MAIL_HOST: mailHost,
    // An installation that others reach accepts strangers only if its operator wants that.
    SIGNUPS_DISABLED: env.SIGNUPS_DISABLED ?? env.NODE_ENV === 'production',
    mailProvider,
    signInProviders: signInProvidersOf(env),
    PLATFORM_FROM: platformFrom,
    sandboxFrom: `sandbox@${hostOfSender(platformFrom)}`,
    dnsServers: splitList(env.DNS_SERVERS),
    webhookAllowedHosts: splitList(env.WEBHOOK_ALLOWED_HOSTS).map((host) => host.toLowerCase()),
    previousSecrets: splitList(env.APP_SECRET_PREVIOUS),
    reportSources: splitList(env.REPORT_SOURCES),
    billingEnabled: env.STRIPE_SECRET_KEY !== undefined,
    snsTopicArns: splitList(env.SNS_TOPIC_ARNS),
    reportsReceived: mailProvider.reports.areReceived({ ...env, MAIL_HOST: mailHost }),
    mailboxUrl: env.MAILBOX_URL ?? null,
    trustedProxies: proxiesOf(env.TRUST_PROXY),
  };
}

function proxiesOf(value: string | undefined): CoreConfig['trustedProxies'] {
  if (value === undefined) return false;
  return /^\d+$/.test(value) ? Number(value) : splitList(value);
}
