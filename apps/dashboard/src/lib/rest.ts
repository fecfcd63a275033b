import type { ColumnMapping, CsvEncoding, ImportKind } from '@postrider/core/audience/contacts/contract';
import type { ProviderName } from '@postrider/core/base/providers/contract';
import type { RecipientPage } from '@postrider/core/mail/forms/contract';
import { failureOfEnvelope, RestError } from './failure.ts';

/** The few endpoints outside tRPC: those that set or clear the session cookie, file uploads, and the public configuration. */
async function request(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return read(response);
}

async function read(response: Response): Promise<unknown> {
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new RestError(failureOfEnvelope(answer));
  return answer;
}

export interface Credentials {
  email: string;
  password: string;
  /** token of an invitation to accept */
  invitation?: string;
  /** creates the first account of an installation with disabled sign-ups */
  setupToken?: string;
}

/** A login that waits for a code of the second factor. */
export interface PendingLogin {
  token: string;
}

/** @returns null once signed in */
export async function login(credentials: Credentials): Promise<PendingLogin | null> {
  const answer = await request('POST', '/auth/login', credentials);
  const { secondFactor } = answer as { secondFactor?: PendingLogin };
  return secondFactor ?? null;
}

interface SecondStep {
  token: string;
  code?: string;
  passkey?: object;
  invitation?: string;
}

export const finishLogin = (step: SecondStep): Promise<unknown> =>
  request('POST', '/auth/second-factor', step);

/** Options for a passkey of the account that logs in; null without one. */
export async function challengeLogin(token: string): Promise<Record<string, unknown> | null> {
  const answer = await request('POST', '/auth/second-factor/challenge', { token });
  return (answer as { options: Record<string, unknown> | null }).options;
}

export async function signup(credentials: Credentials): Promise<null> {
  await request('POST', '/auth/signup', credentials);
  return null;
}
export const logout = (): Promise<unknown> => request('GET', '/auth/logout');

/** The CSV of a completed export, with the mark by which spreadsheets recognise UTF-8. */
export const readExportFile = (job: JobOfProject): Promise<Blob> =>
  readFile(`/exports/${job.jobId}/file?bom=true`, job);

/** The document about a person. */
export const readPersonFile = (job: JobOfProject): Promise<Blob> =>
  readFile(`/privacy/exports/${job.jobId}/file`, job);

/** The rows that an import did not take, or not whole, as CSV. */
export const readFailedRows = (job: JobOfProject): Promise<Blob> =>
  readFile(`/contacts/import/${job.jobId}/failed-rows`, job);

interface JobOfProject {
  projectId: string;
  jobId: string;
}

async function readFile(path: string, { projectId }: Pick<JobOfProject, 'projectId'>): Promise<Blob> {
  const response = await fetch(path, { headers: { 'x-project-id': projectId } });
  if (!response.ok) await read(response);
  return response.blob();
}

interface PageOfProject {
  projectId: string;
  page: RecipientPage;
  language: string;
  formId?: string;
}

/** A page of recipients as HTML, as a person sees it who does not exist. */
export async function readRecipientPage({ projectId, page, ...query }: PageOfProject): Promise<string> {
  const file = await readFile(`/consent/pages/${page}?${new URLSearchParams(query)}`, { projectId });
  return file.text();
}

/** The part of `GET /config` that the dashboard uses. */
export interface Configuration {
  urls: { api: string; dashboard: string };
  features: {
    billing: { enabled: boolean };
    authProviders: { github: boolean; google: boolean; oidc: boolean };
    signup: { signupsDisabled: boolean; verifyEmail: boolean };
    email: {
      transport: ProviderName;
      sandboxFrom: string;
      mailboxUrl: string | null;
      reportsReceived: boolean;
      feedbackAddress: string | null;
    };
  };
  engine: { state: 'ok' | 'starting' | 'away'; since: string | null };
}

export const readConfiguration = async (): Promise<Configuration> =>
  (await request('GET', '/config')) as Configuration;

interface ContactFile {
  projectId: string;
  /** The file, or the job of a dry run that has it. */
  source: File | string;
  kind: ImportKind;
  encoding: CsvEncoding;
  /** Whether the contacts are subscribed, if no column of the file says so. For the kind `contacts` only. */
  subscribed?: 'true' | 'keep';
  /** What their consent rests on, and since when, where and by which words. */
  basis?: 'given' | 'customer';
  consentAt?: string;
  consentSource?: string;
  wordingId?: string;
  /** What the columns become, by their headers. */
  mapping?: ColumnMapping;
  /** The static segment that the contacts are added to. */
  segmentId?: string;
  /** Only reports what an import would do. */
  dryRun?: boolean;
}

/** Imports a CSV file, or tries it. @returns the id of the job */
export async function importContacts({
  projectId,
  source,
  mapping,
  dryRun,
  ...options
}: ContactFile): Promise<string> {
  const body = new FormData();
  if (mapping) body.append('mapping', JSON.stringify(mapping));
  if (dryRun) body.append('dryRun', 'true');
  for (const [name, value] of Object.entries(options)) if (value !== undefined) body.append(name, value);
  if (typeof source === 'string') body.append('from', source);
  else body.append('file', source);
  const headers = { 'x-project-id': projectId };
  const { jobId } = (await read(await fetch('/contacts/import', { method: 'POST', headers, body }))) as {
    jobId: string;
  };
  return jobId;
}

export interface UploadedImage {
  url: string;
  key: string;
  filename: string;
}

interface ImageUpload {
  projectId: string;
  file: File;
  /** @param percent of the file that was sent */
  onProgress: (percent: number) => void;
}

/** Uploads an image. By XMLHttpRequest, because `fetch` does not report the progress of a request. */
export function uploadImage({ projectId, file, onProgress }: ImageUpload): Promise<UploadedImage> {
  const { promise, resolve, reject } = Promise.withResolvers<UploadedImage>();
  const request = new XMLHttpRequest();
  request.responseType = 'json';
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (total > 0) onProgress(Math.floor((loaded / total) * 100));
  });
  request.addEventListener('load', () => {
    if (request.status < 300) resolve(request.response as UploadedImage);
    else reject(new RestError(failureOfEnvelope(request.response)));
  });
  // As `fetch` does for a request that gets no reply.
  request.addEventListener('error', () => reject(new TypeError('Failed to fetch')));
  request.addEventListener('abort', () => reject(new TypeError('Failed to fetch')));
  request.open('POST', '/uploads/image');
  request.setRequestHeader('x-project-id', projectId);
  const body = new FormData();
  body.append('image', file);
  request.send(body);
  return promise;
}
