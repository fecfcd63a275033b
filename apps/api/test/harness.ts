import type { CoreConfig, Role, Services } from '@postrider/core/base/kernel';
import { interactionsStored } from '@postrider/core/mail/tracking';
import { issueSession, sessionCookie } from '@postrider/core/people/users';
import { createTestProject, createTestServices, type TestProject } from '@postrider/core/testing';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { createApp } from '../src/app.ts';
import { drain } from '../src/drain.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape of a response and do not rely on its type
  body: any;
}

type Headers = Record<string, string>;
export type Send = (
  method: string,
  url: string,
  payload?: InjectOptions['payload'],
  headers?: Headers,
) => Promise<Answer>;

export interface TestApp {
  app: FastifyInstance;
  services: Services;
  project: TestProject;
  /** without any credential */
  anyone: Send;
  /** with a key, as `Authorization: Bearer` */
  withKey(key: string): Send;
  /** with the session of a member of the project, named in `X-Project-Id` */
  withSession(role?: Role): Promise<Send>;
  /** the headers that `withSession` sends */
  sessionHeaders(role?: Role): Promise<Headers>;
  close(): Promise<void>;
}

/** The built app on a separate database, with one project. */
export async function startApp(
  env: Record<string, string> = {},
  config: Partial<CoreConfig> = {},
): Promise<TestApp> {
  const { services, close } = await createTestServices({ env, config });
  const app = createApp(services);
  await app.ready();
  const project = await createTestProject(services);
  const send =
    (base: Headers): Send =>
    async (method, url, payload, headers = {}) => {
      const response = await app.inject({
        method: method as 'GET',
        url,
        headers: { ...base, ...headers },
        ...(payload === undefined ? {} : { payload }),
      });
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        body: parse(response.body),
      };
    };
  const sessionHeaders = async (role: Role = 'OWNER'): Promise<Headers> => {
    const { actor } = await project.userCtx(role);
    if (actor.type !== 'user') throw new Error('userCtx gives a user');
    const token = await issueSession(services, { id: actor.userId });
    return {
      cookie: `${sessionCookie}=${token}`,
      'x-project-id': project.id,
      'sec-fetch-site': 'same-origin',
    };
  };
  return {
    app,
    services,
    project,
    anyone: send({}),
    withKey: (key) => send({ authorization: `Bearer ${key}` }),
    withSession: async (role) => send(await sessionHeaders(role)),
    sessionHeaders,
    async close() {
      await drain(app, services);
      await interactionsStored(services);
      await close();
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of a refusal of any door. */
export const codeOf = ({ body }: Answer): string | undefined =>
  body?.error?.data?.code ?? body?.error?.code ?? body?.errors?.[0]?.extensions?.code;
