import { failureOfEnvelope, RestError } from './failure.ts';

/** The few paths that are not tRPC: those that set or clear the session cookie, and the public configuration. */
async function request(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new RestError(failureOfEnvelope(answer));
  return answer;
}

export interface Credentials {
  email: string;
  password: string;
}

export const login = (credentials: Credentials): Promise<unknown> =>
  request('POST', '/auth/login', credentials);
export const signup = (credentials: Credentials): Promise<unknown> =>
  request('POST', '/auth/signup', credentials);
export const logout = (): Promise<unknown> => request('GET', '/auth/logout');

/** What `GET /config` says and the dashboard uses. */
export interface Configuration {
  urls: { api: string; dashboard: string };
  features: {
    signup: { signupsDisabled: boolean; verifyEmail: boolean };
    email: { transport: 'smtp' | 'ses' };
  };
}

export const readConfiguration = async (): Promise<Configuration> =>
  (await request('GET', '/config')) as Configuration;
