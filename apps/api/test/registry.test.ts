import '../src/app.ts';
import { createCampaign } from '@postrider/core/automation/campaigns';
import {
  AppError,
  assertPermission,
  type Context,
  type ErrorKind,
  type KeyScope,
  keyScope,
  type Operation,
  operationRegistry,
  permissions,
  systemContext,
} from '@postrider/core/base/kernel';
import { createTemplate } from '@postrider/core/content/templates';
import { sendEmail } from '@postrider/core/mail/sending';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mountedOperations } from './doors.ts';
import { startApp, type TestApp } from './harness.ts';

/** Promises that hold for every operation, tested for all of them. */
const operations = [...operationRegistry.values()];
const cases = operations.map((operation) => [operation.name, operation] as const);

interface Grant {
  scope: string;
  roles?: readonly string[];
  secretKey?: boolean;
  publicKey?: boolean;
}
const grantOf = ({ permission }: Operation): Grant => permissions[permission];

let test: TestApp;
let mine: TestProject;
let foreign: TestProject;
/** part of every text in the records of the other project */
const marker = 'marker-of-the-other-project';
let foreignIds: string[];

beforeAll(async () => {
  test = await startApp();
  mine = test.project;
  foreign = await createTestProject(test.services, { name: marker });
  foreignIds = await fill(foreign);
});
afterAll(() => test.close());

async function fill({ id, ctx }: TestProject): Promise<string[]> {
  const domain = `${marker}.example.com`;
  const domainId = await verifiedDomain(test.services, id, domain);
  const from = `${marker}@${domain}`;
  const mail = { subject: marker, body: `<p>${marker}</p>`, from };
  const sent = await sendEmail.run(ctx, { ...mail, to: from, data: { name: marker } });
  const template = await createTemplate.run(ctx, { ...mail, name: marker });
  const campaign = await createCampaign.run(ctx, { ...mail, name: marker, audienceType: 'ALL' });
  const [email] = sent.emails;
  if (!email) throw new Error('nothing was sent');
  return [id, domainId, email.email, email.contact?.id ?? '', template.id, campaign.id];
}

/** Operations without a GraphQL field, with the reason. */
const notInGraphql = {
  'analytics.overview': 'the start page of the dashboard; its figures are in activityStats and campaigns',
  'search.records': 'the search of the dashboard; each type has a list with a search of its own',
  'workflows.listExecutionsOfContact': 'Contact.executions has them, with pages',
};

const namedKey = (scope: KeyScope): Context => ({
  ...mine.ctx,
  actor: {
    type: 'key',
    key: scope === 'track' ? 'public' : 'secret',
    projectId: mine.id,
    named: { id: mine.id, name: scope, scope, domains: null },
  },
});

const anonymous = (): Context => ({ ...mine.ctx, actor: { type: 'anonymous' }, project: null });

async function outcomeOf(
  operation: Operation,
  ctx: Context,
  input: unknown,
): Promise<{ output?: unknown; kind?: ErrorKind }> {
  try {
    return { output: await operation.run(ctx, input) };
  } catch (error) {
    if (error instanceof AppError) return { kind: error.kind };
    throw error;
  }
}

describe('every operation', () => {
  it.each(cases)('%s has a name, a summary and a door', async (name, { summary, internal }) => {
    expect(name).toMatch(/^[a-z][a-zA-Z]*\.[a-zA-Z]+$/);
    expect(summary).toMatch(/^\S.{8,}\S$/);
    const doors = await mounted;
    expect(internal || doors.rest.has(name) || doors.trpc.has(name) || doors.graphql.has(name)).toBe(true);
  });
  const mounted = mountedOperations();

  it('is in GraphQL if a secret key may call it, apart from the ones with a reason', async () => {
    const { graphql } = await mounted;
    const missing = operations.filter((each) => {
      const { secretKey, publicKey } = grantOf(each);
      return !each.internal && (secretKey || publicKey) && !graphql.has(each.name);
    });
    expect(missing.map(({ name }) => name).sort()).toEqual(Object.keys(notInGraphql).sort());
  });

  it.each(cases.filter(([, operation]) => grantOf(operation).scope !== 'public'))(
    '%s refuses without a credential',
    async (_name, operation) => {
      const expected = grantOf(operation).scope === 'internal' ? 'forbidden' : 'unauthenticated';
      expect(await outcomeOf(operation, anonymous(), {})).toEqual({ kind: expected });
    },
  );

  it.each(cases.filter(([, operation]) => grantOf(operation).scope === 'project'))(
    '%s refuses whoever does not hold its permission',
    async (_name, operation) => {
      const grant = grantOf(operation);
      const outsider = await mine.userCtx('MEMBER');
      if (outsider.actor.type !== 'user') throw new Error('userCtx gives a user');
      const nowhere: Context = { ...outsider, actor: { ...outsider.actor, role: null }, project: null };
      expect((await outcomeOf(operation, nowhere, {})).kind).toMatch(/^(forbidden|unauthenticated)$/);
      if (!grant.publicKey)
        expect(await outcomeOf(operation, mine.publicCtx, {})).toEqual({ kind: 'unauthenticated' });
      if (!grant.secretKey)
        expect(await outcomeOf(operation, mine.ctx, {})).toEqual({ kind: 'unauthenticated' });
      if (grant.roles && !grant.roles.includes('MEMBER')) {
        expect(await outcomeOf(operation, outsider, {})).toEqual({ kind: 'forbidden' });
      }
    },
  );

  it.each(cases.filter(([, operation]) => grantOf(operation).scope === 'project'))(
    '%s is open to the scopes of named keys that B11.2 names, and to no other',
    async (name, operation) => {
      const { secretKey = false, publicKey = false } = grantOf(operation);
      const sends = [
        'sending.send',
        'sending.sendBatch',
        'sending.submit',
        'sending.reschedule',
        'sending.cancel',
        'contacts.verifyAddress',
        'sending.getEmail',
      ];
      const isOfFullKeys = ['domains:write', 'privacy:manage'].includes(operation.permission);
      const open = {
        full: secretKey,
        send: sends.includes(name),
        read: secretKey && !isOfFullKeys && operation.kind === 'query' && name !== 'contacts.verifyAddress',
        track: publicKey,
        agent: secretKey && !isOfFullKeys,
      };
      for (const scope of keyScope.options) {
        const ctx = namedKey(scope);
        if (open[scope]) expect(() => assertPermission(ctx.actor, operation.permission)).not.toThrow();
        else expect((await outcomeOf(operation, ctx, {})).kind).toMatch(/^(forbidden|unauthenticated)$/);
      }
    },
  );

  it.each(cases.filter(([, operation]) => !operation.internal && grantOf(operation).scope !== 'public'))(
    '%s refuses an unproven address unless it concerns the own account, and changes on a disabled project',
    async (_name, operation) => {
      const ctx = await allowed(operation);
      const { actor } = await mine.userCtx('OWNER');
      if (actor.type !== 'user') throw new Error('userCtx gives a user');
      const unproven = { ...ctx, actor: { ...actor, emailVerified: false } };
      if (operation.permission !== 'self')
        expect((await outcomeOf(operation, unproven, {})).kind).toMatch(/^(forbidden|unauthenticated)$/);
      if (operation.allowDisabled || !ctx.project) return;
      const disabled = { ...ctx, project: { ...ctx.project, disabled: true } };
      expect(await outcomeOf(operation, disabled, {})).toEqual({ kind: 'forbidden' });
    },
  );

  it.each(cases.filter(([, { input }]) => fieldsOf(input).length > 0))(
    '%s refuses nonsense',
    async (_name, operation) => {
      const nonsense = Object.fromEntries(
        fieldsOf(operation.input).map((field) => [field, { nonsense: [true] }]),
      );
      const { kind, output } = await outcomeOf(operation, await allowed(operation), nonsense);
      expect(output).toBeUndefined();
      expect(kind).toMatch(/^(invalid|bad_request)$/);
    },
  );

  it.each(
    cases.filter(([, operation]) => operation.kind !== 'direct' && grantOf(operation).scope !== 'internal'),
  )('%s never answers with what is another project’s', async (_name, operation) => {
    const ctx = await allowed(operation);
    for (const id of [undefined, ...foreignIds]) {
      const { output } = await outcomeOf(operation, ctx, idsAs(operation, id));
      expect(JSON.stringify(output ?? null)).not.toContain(marker);
    }
  });

  it('is really tested: the same requests by the owner return the marker', async () => {
    const found: string[] = [];
    for (const operation of operations) {
      if (
        operation.kind !== 'query' ||
        !grantOf(operation).secretKey ||
        /^domains\.(verify|health)$/.test(operation.name)
      )
        continue;
      for (const id of [undefined, ...foreignIds]) {
        const { output } = await outcomeOf(operation, foreign.ctx, idsAs(operation, id));
        if (JSON.stringify(output ?? null).includes(marker)) found.push(operation.name);
      }
    }
    expect([...new Set(found)].sort()).toEqual(
      expect.arrayContaining([
        'campaigns.get',
        'campaigns.list',
        'contacts.get',
        'contacts.list',
        'domains.list',
        'sending.getEmail',
        'sending.listEmails',
        'sending.previewEmail',
        'templates.get',
        'templates.list',
      ]),
    );
  });
});

const fieldsOf = (input: z.ZodType): string[] =>
  input instanceof z.ZodObject ? Object.keys(input.shape) : [];

/** Sets every field that refers to a record to this id. */
const idsAs = ({ input }: Operation, id: string | undefined): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(input)
      .filter((field) => id !== undefined && /^(id|ids|.*Id)$/.test(field))
      .map((field) => [field, field === 'ids' ? [id] : id]),
  );

/** A context of the own project with the operation's permission. */
async function allowed(operation: Operation): Promise<Context> {
  const grant = grantOf(operation);
  if (grant.scope === 'public') return anonymous();
  if (grant.scope === 'internal') return systemContext(test.services);
  if (grant.publicKey) return mine.publicCtx;
  return grant.secretKey ? mine.ctx : mine.userCtx('OWNER');
}
