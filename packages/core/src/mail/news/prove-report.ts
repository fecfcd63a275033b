import { setTimeout as wait } from 'node:timers/promises';
import { type Services, TaskLimitError } from '../../base/kernel/index.ts';
import type { ReportClass } from './classify-report.rules.ts';
import type { ReportedEmail } from './news.store.ts';
import { reportsKey } from './read-received.ts';
import type { ReadReport } from './read-report.ts';
import type { ReportSignature } from './report-origin.rules.ts';
import { isFeedbackService, speaksFor } from './report-signers.ts';
import type { ReportSources } from './report-sources.ts';
import { verifySignaturesTask } from './verify-signatures.task.ts';

/** Look-ups of MX records and keys of one report together, in milliseconds. */
const dnsMs = 5_000;
/** CPU time for verifying the signatures of a report: loading the library, and the hashes of 1 MB. */
const cpuMs = 450;

export interface ArrivedReport {
  raw: Buffer;
  report: Pick<ReadReport, 'receivedFrom' | 'signatures'>;
  /** the address of the client that delivered it */
  client: string;
}

/**
 * Which emails a report is proven for (behaviour B11.7): all, when the mail server to which emails are handed wrote it; those of recipients
 * whose mailbox provider signed it. Only reports that could disable a project are looked at.
 *
 * @throws Error when the database is unavailable
 */
export async function proveReport(
  services: Services,
  sources: ReportSources,
  reports: readonly { email: ReportedEmail; result: ReportClass | null }[],
  { raw, report, client }: ArrivedReport,
): Promise<ReadonlySet<string>> {
  const concerned = reports.flatMap(({ email, result }) => (needsProof(result) ? [email] : []));
  if (concerned.length === 0) return new Set();
  if (await isOfMailServer(sources, client, report.receivedFrom))
    return new Set(concerned.map(({ id }) => id));
  if (report.signatures.length === 0) return new Set();
  const domains = new Map(
    concerned
      .filter(({ to }) => to !== '')
      .map(({ id, to }) => [id, to.slice(to.lastIndexOf('@') + 1).toLowerCase()]),
  );
  const ended = new AbortController();
  try {
    const looked = lookUp(services, report.signatures, new Set(domains.values()));
    const late = wait(dnsMs, null, { signal: ended.signal, ref: false }).catch(() => null);
    const found = await Promise.race([looked, late]);
    if (!found || found.keys.size === 0) return new Set();
    const signers = await verify(services, raw, found.keys);
    const isSigned = (domain: string): boolean =>
      signers.some((signer) => speaksFor(signer, found.hosts.get(domain) ?? [domain]));
    return new Set([...domains].filter(([, domain]) => isSigned(domain)).map(([emailId]) => emailId));
  } finally {
    ended.abort();
  }
}

/**
 * Whether a service that passes complaints on has signed the message (behaviour B11.7). Some send a returned message alone, or a letter with
 * it, instead of a report.
 */
export async function isOfFeedbackService(
  services: Services,
  raw: Buffer,
  signatures: readonly ReportSignature[],
): Promise<boolean> {
  const own = signatures.filter(({ domain }) => isFeedbackService(domain));
  if (own.length === 0) return false;
  const ended = new AbortController();
  try {
    const late = wait(dnsMs, null, { signal: ended.signal, ref: false }).catch(() => null);
    const keys = await Promise.race([findKeys(services, own), late]);
    if (!keys || keys.size === 0) return false;
    return (await verify(services, raw, keys)).some(isFeedbackService);
  } finally {
    ended.abort();
  }
}

/** Reports that count for the levels of a project (behaviour B4.19). */
export const needsProof = (result: ReportClass | null): boolean =>
  result?.kind === 'complaint' || (result?.kind === 'bounce' && result.bounceType === 'Permanent');

async function isOfMailServer(
  sources: ReportSources,
  client: string,
  receivedFrom: readonly string[],
): Promise<boolean> {
  for (const address of [client, ...receivedFrom]) if (!(await sources.has(address))) return false;
  return true;
}

interface LookedUp {
  /** the recipient's domain and its mail servers, by that domain */
  hosts: ReadonlyMap<string, readonly string[]>;
  /** by the name of the record */
  keys: ReadonlyMap<string, string>;
}

async function lookUp(
  { dns }: Pick<Services, 'dns'>,
  signatures: readonly ReportSignature[],
  domains: ReadonlySet<string>,
): Promise<LookedUp> {
  const hosts = new Map(
    await Promise.all(
      [...domains].map(async (domain): Promise<[string, string[]]> => {
        const answer = await dns.mx(domain);
        const servers = answer.kind === 'found' ? answer.records.map(({ exchange }) => exchange) : [];
        return [domain, [domain, ...servers]];
      }),
    ),
  );
  const wanted = signatures.filter(({ domain }) =>
    [...hosts.values()].some((names) => speaksFor(domain, names)),
  );
  return { hosts, keys: await findKeys({ dns }, wanted) };
}

async function findKeys(
  { dns }: Pick<Services, 'dns'>,
  signatures: readonly ReportSignature[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Set(signatures.map(({ selector, domain }) => `${selector}._domainkey.${domain}`));
  const keys = new Map<string, string>();
  await Promise.all(
    [...names].map(async (name) => {
      const answer = await dns.txt(name);
      const [key] = answer.kind === 'found' ? answer.records : [];
      if (key !== undefined) keys.set(name, key);
    }),
  );
  return keys;
}

async function verify(
  { threads }: Pick<Services, 'threads'>,
  raw: Buffer,
  keys: ReadonlyMap<string, string>,
): Promise<string[]> {
  try {
    const input = { raw: Uint8Array.from(raw), keys: Object.fromEntries(keys) };
    return await threads.run(verifySignaturesTask, input, { projectId: reportsKey, cpuMs, isHalved: true });
  } catch (error) {
    if (error instanceof TaskLimitError) return [];
    throw error;
  }
}
