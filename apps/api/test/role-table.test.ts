import { randomBytes } from 'node:crypto';
import { type KeyScope, type Permission, type Role, sha256 } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { issueSession, sessionCookie } from '@postrider/core/people/users';
import { createTestProject, createTestUser, type TestProject } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Call,
  everyCall,
  exampleInputs,
  operationNamed,
  restEndpoints,
  unknownId,
} from './every-call.ts';
import { type Answer, codeOf, startApp, type TestApp } from './harness.ts';

/** Behaviour B5.4 and B11.2: who may do what, for every operation and through every door that offers it. */

/** What an operation lets a caller do. Written here a second time: a change of the table in the code has to be meant. */
type Action = Permission | 'own project' | 'own project: lead';
interface Rule {
  roles: readonly Role[];
  keys: readonly (KeyScope | 'secret' | 'public')[];
}
const all = ['MEMBER', 'ADMIN', 'OWNER'] as const;
const leaders = ['ADMIN', 'OWNER'] as const;
const rules: Record<Exclude<Action, 'public' | 'internal'>, Rule> = {
  'data:read': { roles: all, keys: ['secret', 'full', 'read', 'agent'] },
  'email:read': { roles: all, keys: ['secret', 'full', 'read', 'send', 'agent'] },
  'data:write': { roles: all, keys: ['secret', 'full', 'agent'] },
  'mail:send': { roles: all, keys: ['secret', 'full', 'send', 'agent'] },
  'events:track': { roles: [], keys: ['public', 'track'] },
  'graphql:open': { roles: [], keys: ['secret', 'full', 'read', 'send', 'agent'] },
  'domains:read': { roles: all, keys: ['secret', 'full', 'read', 'agent'] },
  'domains:write': { roles: leaders, keys: ['secret', 'full'] },
  'webhooks:read': { roles: all, keys: ['secret', 'full', 'read', 'agent'] },
  'webhooks:write': { roles: leaders, keys: ['secret', 'full', 'agent'] },
  'project:read': { roles: all, keys: ['secret', 'full', 'read', 'agent'] },
  'audit:read': { roles: leaders, keys: ['secret', 'full', 'read', 'agent'] },
  'approvals:decide': { roles: all, keys: [] },
  'campaigns:approve': { roles: leaders, keys: [] },
  'privacy:manage': { roles: leaders, keys: ['secret', 'full'] },
  'project:settings': { roles: leaders, keys: [] },
  'members:write': { roles: leaders, keys: [] },
  'billing:read': { roles: all, keys: [] },
  'billing:write': { roles: leaders, keys: [] },
  account: { roles: all, keys: [] },
  self: { roles: all, keys: [] },
  'own project': { roles: all, keys: [] },
  'own project: lead': { roles: leaders, keys: [] },
};

/** Operations of an account that name one of its projects: the role in that project decides. */
const ofOwnProject: Record<string, Action> = {
  'projects.get': 'own project',
  'projects.resetState': 'own project: lead',
  'projects.update': 'own project: lead',
  'projects.regenerateKeys': 'own project: lead',
  'projects.regenerateWebhookSecret': 'own project: lead',
  'projects.reset': 'own project: lead',
  'projects.delete': 'own project: lead',
  'keys.list': 'own project: lead',
  'keys.create': 'own project: lead',
  'keys.delete': 'own project: lead',
  'members.invite': 'own project: lead',
  'members.change': 'own project: lead',
  'members.remove': 'own project: lead',
};

/** Paths that only sessions may call, of operations that a key may run elsewhere. */
const sessionPaths: Record<string, Action> = {
  'REST GET /users/@me/projects/:id/security': 'own project',
};

/** What a disabled project still accepts: the way out of being disabled for a payment, and leaving with one's data (B3.6, B4.18). */
const openWhenDisabled = [
  'billing.checkout',
  'billing.portal',
  'billing.setLimits',
  'contacts.bulkDelete',
  'contacts.delete',
  'exports.start',
  'privacy.erase',
  'privacy.export',
  'webhooks.delete',
  'webhooks.rotateSecret',
];

/** What it refuses although it belongs to an account, or changes nothing. */
const closedWhenDisabled = ['contacts.verifyAddress', 'keys.create', 'members.invite', 'projects.update'];

/** Paths without an operation of the same name. They need no credential, apart from the files of jobs and the samples of pages. */
const withoutOperation = [
  'auth.logout',
  'auth.oauthCallback',
  'auth.oauthConfig',
  'auth.oauthStart',
  'config.get',
  'consent.page',
  'contacts.importFailedRows',
  'docs.openapi',
  'exports.file',
  'health.live',
  'health.ready',
  'metrics.get',
  'privacy.exportFile',
];

const callers = [
  'anonymous',
  'stranger',
  'unproven',
  'MEMBER',
  'ADMIN',
  'OWNER',
  'public',
  'secret',
  'full',
  'send',
  'read',
  'agent',
  'track',
  'OWNER, disabled',
  'secret, disabled',
] as const;
type Caller = (typeof callers)[number];
type Headers = Record<string, string>;

const actionOf = ({ name, operation }: Call): Action =>
  sessionPaths[name] ?? ofOwnProject[operation.name] ?? operation.permission;
const isPublicKey = (caller: Caller): boolean => caller === 'public' || caller === 'track';
const isKey = (caller: Caller): boolean => /^(public|secret|full|send|read|agent|track)/.test(caller);

/** The code of the refusal, or `yes`. */
function expected(call: Call, caller: Caller): string {
  const action = actionOf(call);
  if (call.door === 'GraphQL') return throughGraphql(call, action, caller);
  if (action === 'public') return 'yes';
  if (action === 'internal') return 'FORBIDDEN';
  if (caller === 'anonymous') return 'MISSING_AUTH';
  if (isKey(caller)) return call.door === 'tRPC' ? sessionsOnly(caller) : asKey(call, rules[action], caller);
  return asUser(call, action, caller);
}

const sessionsOnly = (caller: Caller): string => (isPublicKey(caller) ? 'INVALID_API_KEY' : 'UNAUTHORIZED');

function asKey(call: Call, { keys }: Rule, caller: Caller): string {
  const key = caller === 'secret, disabled' ? 'secret' : (caller as KeyScope);
  if (isPublicKey(caller) !== keys.includes('public')) return 'INVALID_API_KEY';
  if (keys.length === 0) return 'UNAUTHORIZED';
  if (isClosed(call, caller)) return 'FORBIDDEN';
  // In REST a key of scope `read` reaches GET alone (B11.2).
  if (!keys.includes(key as KeyScope) || (caller === 'read' && call.method !== 'GET')) return 'FORBIDDEN';
  return caller === 'secret, disabled' && refusesWhenDisabled(call) ? 'PROJECT_DISABLED' : 'yes';
}

/** What no agent may do, whoever agrees (B15.11). */
const isClosed = ({ operation }: Call, caller: Caller): boolean =>
  caller === 'agent' && operation.risk === 'closed';

function asUser(call: Call, action: Exclude<Action, 'public' | 'internal'>, caller: Caller): string {
  if (action === 'events:track') return 'MISSING_AUTH';
  if (caller === 'unproven') return action === 'self' ? 'yes' : 'EMAIL_VERIFICATION_REQUIRED';
  if (action === 'account' || action === 'self') return 'yes';
  if (caller === 'stranger') return 'PROJECT_ACCESS_DENIED';
  const role = caller === 'OWNER, disabled' ? 'OWNER' : (caller as Role);
  if (!rules[action].roles.includes(role)) return 'FORBIDDEN';
  return caller === 'OWNER, disabled' && refusesWhenDisabled(call) ? 'PROJECT_DISABLED' : 'yes';
}

function throughGraphql(call: Call, action: Action, caller: Caller): string {
  if (isPublicKey(caller)) return 'INVALID_API_KEY';
  if (!isKey(caller)) return 'MISSING_AUTH';
  if (action === 'public') return 'yes';
  if (action === 'internal') return 'FORBIDDEN';
  if (isClosed(call, caller)) return 'FORBIDDEN';
  // The one exception of this door: it has no public key, so the secret key tracks events here.
  const keys: readonly string[] = action === 'events:track' ? ['secret', 'full'] : rules[action].keys;
  const key = caller === 'secret, disabled' ? 'secret' : caller;
  if (!keys.includes(key) || (caller === 'read' && call.root === 'mutation')) return 'FORBIDDEN';
  return caller === 'secret, disabled' && refusesWhenDisabled(call) ? 'PROJECT_DISABLED' : 'yes';
}

/** The same through every door, whatever the method (B3.6). */
function refusesWhenDisabled({ operation }: Call): boolean {
  if (closedWhenDisabled.includes(operation.name)) return true;
  if (openWhenDisabled.includes(operation.name)) return false;
  return operation.kind !== 'query' && !/^(account|self|public)$/.test(operation.permission);
}

const refusals = new Set([
  'MISSING_AUTH',
  'INVALID_API_KEY',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PROJECT_ACCESS_DENIED',
  'PROJECT_DISABLED',
  'EMAIL_VERIFICATION_REQUIRED',
]);

let test: TestApp;
interface Credential {
  headers: Headers;
  /** the project that requests name */
  project: TestProject;
}
const shared = new Map<Caller, Credential>();

beforeAll(async () => {
  test = await startApp({
    VERIFY_SIGNUP_EMAIL: 'true',
    RATE_LIMIT_PER_MINUTE: '1000000',
    STRIPE_SECRET_KEY: 'sk_test_unused',
    STRIPE_API_BASE: 'http://127.0.0.1:1',
  });
  const project = await createTestProject(test.services);
  for (const caller of callers) shared.set(caller, await credentialOf(caller, project));
});
afterAll(() => test.close());

const disable = ({ id }: TestProject) =>
  test.services.database.prisma.project.update({ where: { id }, data: { disabled: true } });

async function credentialOf(caller: Caller, of?: TestProject): Promise<Credential> {
  const isDisabled = caller.endsWith('disabled');
  const project = of && !isDisabled ? of : await createTestProject(test.services);
  if (isDisabled) await disable(project);
  return { headers: await headersOf(caller, project), project };
}

async function headersOf(caller: Caller, project: TestProject): Promise<Headers> {
  switch (caller) {
    case 'anonymous':
      return {};
    case 'public':
      return bearer(project.publicKey);
    case 'secret':
    case 'secret, disabled':
      return bearer(project.secretKey);
    case 'full':
    case 'send':
    case 'read':
    case 'agent':
    case 'track':
      return bearer(await namedKey(project, caller));
    default:
      return sessionOf(await userOf(caller, project), project);
  }
}

const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });

async function userOf(caller: Caller, project: TestProject): Promise<string> {
  const { prisma } = test.services.database;
  if (caller.startsWith('OWNER')) return project.ownerId;
  const userId = await createTestUser(test.services);
  if (caller === 'stranger') return userId;
  if (caller === 'unproven')
    await prisma.user.update({ where: { id: userId }, data: { emailVerified: false } });
  const role = caller === 'unproven' ? 'ADMIN' : (caller as Role);
  await prisma.member.create({ data: { projectId: project.id, userId, role } });
  return userId;
}

const sessionOf = async (id: string, project: TestProject): Promise<Headers> => ({
  cookie: `${sessionCookie}=${await issueSession(test.services, { id })}`,
  'x-project-id': project.id,
  'sec-fetch-site': 'same-origin',
});

async function namedKey(project: TestProject, scope: KeyScope): Promise<string> {
  const key = `${scope === 'track' ? 'pk' : 'sk'}_${randomBytes(32).toString('hex')}`;
  await test.services.database.prisma.apiKey.create({
    data: {
      id: newId(),
      projectId: project.id,
      name: scope,
      scope,
      prefix: key.slice(0, 11),
      hash: Uint8Array.from(sha256(key)),
    },
  });
  return key;
}

function ask(call: Call, { headers, project }: Credential): Promise<Answer> {
  // Only where the project is part of the input, the input is read before the role is known, and has to be valid.
  const input = actionOf(call).startsWith('own project')
    ? { ...exampleInputs(call.operation)[0], id: project.id }
    : {};
  const ofPath = call.projectParam ? { [call.projectParam]: project.id } : {};
  const { method, url, payload } = call.requestOf({ ...input, ...ofPath });
  return test.anyone(method, url, payload, headers);
}

/** A change that is allowed happens, so it gets a project and a user of its own. */
async function outcomeOf(call: Call, caller: Caller): Promise<string> {
  const isDone = call.operation.kind !== 'query' && expected(call, caller) === 'yes';
  const credential = isDone ? await credentialOf(caller) : shared.get(caller);
  if (!credential) throw new Error(`no credential for ${caller}`);
  const answer = await ask(call, credential);
  const code = codeOf(answer);
  return code !== undefined && refusals.has(code) ? code : 'yes';
}

describe('every operation', () => {
  it('answers every caller as the table says, through every door', async () => {
    const wrong: string[] = [];
    for (const call of everyCall(test.services)) {
      const answers = callers.map(async (caller) => {
        const [wanted, found] = [expected(call, caller), await outcomeOf(call, caller)];
        if (wanted !== found)
          wrong.push(`${call.name} (${actionOf(call)}) by ${caller}: ${found}, not ${wanted}`);
      });
      await Promise.all(answers);
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it('of an account that names a project is in the list of those that ask for a role there', () => {
    const naming = everyCall(test.services).flatMap(({ projectParam, operation: { name, permission } }) =>
      projectParam !== null && /^(account|self)$/.test(permission) ? [name] : [],
    );
    expect([...new Set(naming)].filter((name) => !(name in ofOwnProject))).toEqual([]);
    expect(Object.keys(ofOwnProject).map((name) => operationNamed(name).permission)).toEqual(
      Object.keys(ofOwnProject).map(() => 'account'),
    );
  });
});

it('a path without an operation is one of a few', () => {
  const names = restEndpoints(test.services).flatMap(({ name, operation }) => (operation ? [] : [name]));
  expect(names.toSorted()).toEqual(withoutOperation);
});

it.each(
  callers.flatMap(
    (caller) =>
      [
        ['/exports', 'exports.get', caller],
        ['/privacy/exports', 'privacy.getExport', caller],
      ] as const,
  ),
)('the file of %s, as %s: %s', async (path, operation, caller) => {
  const { headers } = shared.get(caller) ?? { headers: {} };
  const code = codeOf(await test.anyone('GET', `${path}/${unknownId}/file`, undefined, headers));
  const reading: Call = {
    name: `REST GET ${path}/:jobId/file`,
    door: 'REST',
    operation: operationNamed(operation),
    root: 'other',
    method: 'GET',
    projectParam: null,
    requestOf: () => ({ method: 'GET', url: '' }),
  };
  const wanted = expected(reading, caller);
  expect(code).toBe(wanted === 'yes' ? 'RESOURCE_NOT_FOUND' : wanted);
});

it('a key of another project is refused on every path that names this one', async () => {
  const [own, other] = [await createTestProject(test.services), await createTestProject(test.services)];
  for (const call of everyCall(test.services)) {
    if (!call.projectParam || !expected(call, 'secret').startsWith('yes')) continue;
    const answer = await ask(call, { headers: bearer(other.secretKey), project: own });
    expect([call.name, answer.status, codeOf(answer)]).toEqual([call.name, 403, 'PROJECT_ACCESS_DENIED']);
  }
});
