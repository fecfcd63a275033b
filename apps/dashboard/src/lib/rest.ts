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
}

export const login = (credentials: Credentials): Promise<unknown> =>
  request('POST', '/auth/login', credentials);
export const signup = (credentials: Credentials): Promise<unknown> =>
  request('POST', '/auth/signup', credentials);
export const logout = (): Promise<unknown> => request('GET', '/auth/logout');

/** The part of `GET /config` that the dashboard uses. */
export interface Configuration {
  urls: { api: string; dashboard: string };
  features: {
    authProviders: { github: boolean; google: boolean; oidc: boolean };
    signup: { signupsDisabled: boolean; verifyEmail: boolean };
    email: { transport: 'smtp' | 'ses' };
  };
}

export const readConfiguration = async (): Promise<Configuration> =>
  (await request('GET', '/config')) as Configuration;

interface ContactFile {
  projectId: string;
  file: File;
  /** The subscription of new contacts. */
  subscribed: boolean;
}

/** Uploads a CSV file. @returns the id of the import job */
export async function importContacts({ projectId, file, subscribed }: ContactFile): Promise<string> {
  const body = new FormData();
  body.append('subscribed', String(subscribed));
  body.append('file', file);
  const headers = { 'x-project-id': projectId };
  const { jobId } = (await read(await fetch('/contacts/import', { method: 'POST', headers, body }))) as {
    jobId: string;
  };
  return jobId;
}
