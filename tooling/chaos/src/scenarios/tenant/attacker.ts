import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, type TestProject } from '@postrider/harness/project.store';

/** A customer with an account and a project. What it asks for is allowed to be refused; it is never waited for. */
export interface Attacker extends TestProject {
  /** A request with the project's secret key. */
  request(path: string, body: unknown, method?: 'POST' | 'PATCH'): Promise<AttackAnswer>;
  track(event: { email: string; event: string }): Promise<AttackAnswer>;
  /** One tRPC request with several calls of the same query, as a signed-in user. */
  batch(procedure: string, calls: number, input: unknown): Promise<AttackAnswer>;
}

export interface AttackAnswer {
  /** null if no answer came in time */
  status: number | null;
  body: string;
}

const patienceMs = 20_000;

/** What a customer has to sign in and to call the api. */
export interface AttackerAccess {
  api: string;
  project: TestProject;
  /** the cookie of the account, and its own project */
  cookie: string;
  ownProjectId: string;
}

export async function createAccess({ db, stack }: ChaosStack): Promise<AttackerAccess> {
  const api = stack.urls.api;
  const key = { appSecret: stack.env.APP_SECRET ?? '', signed: false, domain: 'attacker.test' };
  const project = await createProject(db, key);
  const account = { email: 'attacker@people.test', password: 'correct horse battery' };
  const signup = await fetch(new URL('/auth/signup', api), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(api).origin },
    body: JSON.stringify(account),
  });
  const cookie = signup.headers.getSetCookie().at(0)?.split(';').at(0);
  if (!signup.ok || cookie === undefined) throw new Error(`Signing up answered ${signup.status}.`);
  const made = await ask(new URL('/users/@me/projects', api), 'POST', sessionHeaders(api, cookie), {
    name: 'Attacker',
  });
  const { id } = JSON.parse(made.body) as { id?: string };
  if (id === undefined) throw new Error(`Creating a project answered ${made.status}: ${made.body}`);
  return { api, project, cookie, ownProjectId: id };
}

export function attackerWith({ api, project, cookie, ownProjectId }: AttackerAccess): Attacker {
  const withKey = (secret: string) => ({
    'content-type': 'application/json',
    authorization: `Bearer ${secret}`,
  });
  return {
    ...project,
    request: (path, body, method = 'POST') =>
      ask(new URL(path, api), method, withKey(project.secretKey), body),
    track: (event) => ask(new URL('/v1/track', api), 'POST', withKey(project.publicKey), event),
    batch: (procedure, calls, input) =>
      ask(
        new URL(`/trpc/${Array(calls).fill(procedure).join(',')}?batch=1`, api),
        'POST',
        { ...sessionHeaders(api, cookie), 'x-project-id': ownProjectId },
        Object.fromEntries(Array.from({ length: calls }, (_, index) => [index, input])),
      ),
  };
}

const sessionHeaders = (api: string, cookie: string): Record<string, string> => ({
  'content-type': 'application/json',
  origin: new URL(api).origin,
  cookie,
});

async function ask(
  url: URL,
  method: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<AttackAnswer> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body), signal });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return { status: null, body: '' };
  }
}
