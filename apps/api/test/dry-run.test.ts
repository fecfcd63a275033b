import '../src/app.ts';
import { freezeAudience } from '@postrider/core/automation/campaigns';
import {
  type Context,
  type Operation,
  operationRegistry,
  type Services,
  sha256,
} from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { requestLogOf } from '@postrider/core/insight/requests';
import { issueSession } from '@postrider/core/people/users';
import { createTestProject, createTestUser, verifiedDomain } from '@postrider/core/testing';
import { createAuthenticator } from '@postrider/core/testing/authenticator.ts';
import { totpCode } from '@postrider/core/testing/totp.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameAsker } from './agent-attempts.ts';
import { startApp, type TestApp } from './harness.ts';
import type { Json } from './openapi-walk.ts';

/** Behaviour B15.11: every operation that changes something is carried out twice, first as a dry run. */
let test: TestApp;
let listener: pg.Client;
/** signals to workflows and notifications of the database, by anybody */
let signals: string[] = [];
/** a project key, its public key, the owner, and a person who owns nothing */
let as: Record<'key' | 'public' | 'owner' | 'person', Context>;
const tables: string[] = [];

beforeAll(async () => {
  test = await startApp({
    NEW_PROJECT_RAMP: '1000',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  });
  const { services, project } = test;
  await verifiedDomain(services, project.id, 'shop.example.com');
  const { rows } = await services.database.durable.query<{ name: string }>(
    `SELECT c."relname" AS "name" FROM pg_class c JOIN pg_namespace n ON n."oid" = c."relnamespace"
     WHERE n."nspname" = 'public' AND c."relkind" = 'r' ORDER BY 1`,
  );
  // Attempts count in dry runs too, or passwords could be guessed by them.
  tables.push(...rows.map(({ name }) => name).filter((name) => name !== 'AuthAttempt'));
  const recording: Services = {
    ...services,
    workflows: {
      ...services.workflows,
      healthy: async () => true,
      close: async () => undefined,
      request: async () => Promise.reject(new Error('no server')),
      signal: async (job) => signals.push(JSON.stringify(job)) > 0,
      signalDebounced: (job) => void signals.push(JSON.stringify(job)),
    },
    scheduleFollowUps: () => void signals.push('follow-ups'),
  };
  const personId = await createTestUser(services, 'person@people.test');
  const owner = await project.userCtx('OWNER');
  const with_ = (ctx: Context): Context => ({ ...ctx, services: recording });
  as = {
    key: with_(project.ctx),
    public: with_(project.publicCtx),
    owner: with_(owner),
    person: with_({
      ...owner,
      project: null,
      actor: { type: 'user', userId: personId, emailVerified: true, projectId: null, role: null },
    }),
  };
  listener = new pg.Client({ connectionString: services.config.DATABASE_URL });
  await listener.connect();
  listener.on('notification', ({ channel }) => signals.push(channel));
  const source = await services.database.durable.query<{ text: string }>(
    `SELECT "prosrc" AS "text" FROM pg_proc p JOIN pg_namespace n ON n."oid" = p."pronamespace" WHERE n."nspname" = 'public'`,
  );
  const named = source.rows.flatMap(({ text }) =>
    [...text.matchAll(/pg_notify\('(\w+)'/g)].map(([, name]) => name ?? ''),
  );
  for (const channel of new Set([...named, 'outbox', 'postrider_outbox']))
    await listener.query(`LISTEN "${channel}"`);
});
afterAll(async () => {
  await listener.end();
  await test.close();
});

/** Every row of every table; only sequences are left out, and attempts. */
async function dump(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of tables) {
    const { rows } = await test.services.database.durable.query<{ digest: string }>(
      `SELECT count(*) || ':' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS "digest" FROM "${name}" t`,
    );
    found[name] = rows[0]?.digest ?? '';
  }
  return found;
}

/** A reply without what differs from call to call: ids, times, and secrets, which are random. */
function shapeOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value instanceof Date) return '(date)';
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries<Json>(value).map(([key, each]) => [key, shapeOf(each)]));
  if (typeof value !== 'string') return value;
  return value
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '(id)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(date)')
    .replaceAll(/\b(?:[sp]k|whsec)_[\w+/=]+/g, '(random)')
    .replaceAll(/pr[0-9a-f]{8}\._domainkey/g, '(random)')
    .replaceAll(/[A-Za-z0-9+/_=-]{16,}/g, '(random)')
    .replaceAll(/\b[A-Z2-9]{4,5}(?:-[A-Z2-9]{4,5})+\b|\b[a-z0-9]{4,5}(?:-[a-z0-9]{4,5})+\b/g, '(random)');
}

const operationOf = (name: string): Operation => {
  const operation = operationRegistry.get(name);
  if (!operation) throw new Error(`no operation is named ${name}`);
  return operation;
};

type Outcome = { reply: Json } | { refusal: string };
async function outcomeOf(name: string, ctx: Context, input: object): Promise<Outcome> {
  try {
    return { reply: await operationOf(name).runRaw(ctx, input) };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    return { refusal: code };
  }
}

const done = new Set<string>();
const dryOf = (ctx: Context): Context => ({ ...ctx, request: { ...ctx.request, id: newId(), dryRun: true } });

/** A dry run that has to leave nothing; what it signals is in `signals`. */
async function rehearse(
  name: string,
  ctx: Context,
  input: object,
  before: Record<string, string>,
): Promise<Outcome> {
  signals = [];
  const rehearsed = await outcomeOf(name, dryOf(ctx), input);
  expect(await dump(), name).toEqual(before);
  // A notification of an earlier statement would arrive before the answer to this one.
  await listener.query('SELECT 1');
  return rehearsed;
}

/** Carries an operation out, after a dry run of it that has to leave nothing and to answer the same. @returns the reply */
async function both(name: string, ctx: Context, input: object): Promise<Json> {
  done.add(name);
  const before = await dump();
  let rehearsed = await rehearse(name, ctx, input, before);
  // What the operation before has set off may arrive only now. A dry run that sets something off does so each time.
  for (let more = 2; more > 0 && signals.length > 0; more -= 1)
    rehearsed = await rehearse(name, ctx, input, before);
  expect(signals, name).toEqual([]);
  const real = await outcomeOf(name, ctx, input);
  if ('refusal' in real) throw new Error(`${name}: ${real.refusal}`);
  expect('reply' in rehearsed ? { reply: shapeOf(rehearsed.reply) } : rehearsed, name).toEqual({
    reply: shapeOf(real.reply),
  });
  if (ctx.actor.type !== 'user' && name !== 'documents.delete')
    expect(await dump(), `${name} changes something`).not.toEqual(before);
  return real.reply;
}

const from = 'shop@shop.example.com';
const mail = { subject: 'Hello', body: '<p>Hello {{name}}</p>', from };
const condition = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }],
};
const position = { x: 0, y: 0 };
const later = () => new Date(Date.now() + 3_600_000).toISOString();

describe('an operation leaves nothing of a dry run, and answers as it does in earnest', () => {
  it('contacts, their fields and suppressions', async () => {
    const { key } = as;
    const ann = await both('contacts.upsert', key, { email: 'ann@people.test', data: { plan: 'pro' } });
    await both('contacts.upsert', key, { email: 'ann@people.test', data: { plan: 'free' } });
    await both('contacts.update', key, { id: ann.id, subscribed: false, data: { city: 'Ulm' } });
    await both('contacts.update', key, { id: ann.id, subscribed: true });
    const bob = await both('contacts.upsert', key, { email: 'bob@people.test' });
    await both('contacts.bulkSubscribe', key, { contactIds: [ann.id] });
    await both('contacts.bulkUnsubscribe', key, { filter: {}, mode: 'query' });
    await both('contacts.bulkTopics', key, { contactIds: [ann.id], topics: { general: false } });
    await both('contacts.bulkDelete', key, { contactIds: [bob.id] });
    await both('contacts.bulkUpdate', key, { contactIds: [ann.id], data: { city: 'Bonn' } });
    await both('contacts.defineField', key, { field: 'data.plan', type: 'TEXT' });
    const fields = { ...key, project: { ...test.project.project, definesFields: true } };
    await both('contacts.upsert', fields, { email: 'carl@people.test', data: { plan: 'pro' } });
    await both('contacts.deleteField', key, { field: 'data.plan' });
    await both('contacts.addSuppressions', key, { emails: ['x@people.test', 'y@people.test'] });
    await both('contacts.deleteSuppression', key, { email: 'x@people.test' });
    await both('contacts.removeSuppressions', key, { emails: ['y@people.test'] });
    await both('contacts.delete', key, { id: bob.id });
  });

  it('wordings', async () => {
    await both('wordings.create', as.key, { language: 'en', text: 'Yes, please' });
  });

  it('events', async () => {
    await both('events.track', as.public, { email: 'new@people.test', event: 'signed_up', data: { a: 1 } });
    await both('events.record', as.key, { email: 'ann@people.test', event: 'bought' });
    await both('events.record', as.key, { name: 'deployed' });
    await both('events.delete', as.key, { eventName: 'deployed' });
  });

  it('templates and blocks', async () => {
    const { key } = as;
    const template = await both('templates.create', key, { ...mail, name: 'T' });
    await both('templates.update', key, { id: template.id, subject: 'Hello again' });
    await both('templates.restoreVersion', key, { id: template.id, version: 1 });
    const copy = await both('templates.duplicate', key, { id: template.id });
    const ref = { source: 'resend', kind: 'TEMPLATE', sourceId: 'welcome' };
    await both('sourceRefs.set', key, { ...ref, id: copy.id });
    await both('sourceRefs.remove', key, ref);
    await both('templates.delete', key, { id: copy.id });
    const block = await both('blocks.create', key, { name: 'B', body: '<p>B</p>' });
    await both('blocks.update', key, { id: block.id, body: '<p>C</p>' });
    await both('blocks.delete', key, { id: block.id });
  });

  it('sending', async () => {
    const { key } = as;
    const text = { ...mail, tags: ['a'], metadata: { order: '1' } };
    // The same content twice: what a dry run stored is not taken for stored afterwards.
    await both('sending.send', key, { ...text, to: ['ann@people.test', 'ned@people.test'] });
    await both('sending.send', key, { ...text, to: 'ann@people.test' });
    await both('sending.sendBatch', key, {
      emails: [
        { ...text, to: 'batch@people.test' },
        { ...text, to: 'nobody' },
      ],
    });
    await both('sending.send', key, {
      ...{ ...mail, to: 'ann@people.test', strictVariables: true, data: { name: 'Ann' } },
      attachments: [{ filename: 'a.txt', content: Buffer.from('a').toString('base64') }],
    });
    await both('sending.send', key, {
      ...mail,
      to: Array.from({ length: 60 }, (_, n) => `many${n}@people.test`),
    });
    // With an item that is refused, and one that has a statement of its own.
    await both('sending.sendBatch', key, {
      emails: [
        { ...text, to: 'batch@people.test' },
        { ...text, to: 'batch@people.test', template: 'unknown' },
        { ...text, to: 'batch@people.test', cc: 'copy@people.test' },
      ],
    });
    const { prisma } = test.services.database;
    const sent = await prisma.email.findFirstOrThrow({ where: { to: 'ned@people.test' } });
    await both('sending.cancel', key, { id: sent.id });
    const scheduled = await operationOf('sending.send').run(key, {
      ...mail,
      to: 'ned@people.test',
      scheduledAt: new Date(Date.now() + 60_000).toISOString(),
    });
    await both('sending.reschedule', key, {
      id: (scheduled as Json).emails[0].email,
      scheduledAt: new Date(Date.now() + 120_000).toISOString(),
    });
  });

  it('segments', async () => {
    const { key } = as;
    const dynamic = await both('segments.create', key, { name: 'D', condition, trackMembership: true });
    await both('segments.compute', key, { id: dynamic.id });
    await both('segments.refresh', key, { id: dynamic.id });
    await both('segments.update', key, { id: dynamic.id, name: 'E' });
    const fixed = await both('segments.create', key, { name: 'S', type: 'STATIC' });
    const emails = ['ann@people.test', 'fresh@people.test'];
    await both('segments.addMembers', key, { id: fixed.id, emails, createMissing: true });
    await both('segments.removeMembers', key, { id: fixed.id, emails });
    await both('segments.addMatching', key, { id: fixed.id, condition });
    await both('contacts.bulkAddToSegment', key, { mode: 'query', filter: {}, segmentId: fixed.id });
    await both('segments.delete', key, { id: dynamic.id });
  });

  it('topics', async () => {
    const { key } = as;
    const { id } = await both('topics.create', key, {
      key: 'news',
      name: { en: 'News' },
      default: 'OUT',
    });
    await both('topics.update', key, { id, name: { en: 'Our news' }, archived: true });
    await both('topics.delete', key, { id });
  });

  it('forms', async () => {
    const { key } = as;
    const given = { name: 'Footer', title: { en: 'News' }, consentText: { en: 'Yes' } };
    const { id } = await both('forms.create', key, given);
    await both('forms.update', key, { id, title: { en: 'Our news' } });
    await both('forms.delete', key, { id });
    await nameAsker(test, test.project.id, mail.from);
    await both('subscriptionRequests.create', key, { email: 'asked@people.test' });
  });

  it('goals', async () => {
    const { key } = as;
    const { id } = await both('goals.create', key, { name: 'Purchase', eventName: 'order.paid' });
    await both('goals.update', key, { id, archived: true });
    await both('goals.delete', key, { id });
  });

  it('campaigns', async () => {
    const { key } = as;
    const { prisma } = test.services.database;
    const whole = { ...mail, name: 'C', audienceType: 'ALL', type: 'MARKETING' };
    const campaign = await both('campaigns.create', key, whole);
    const { id } = campaign.data ?? campaign;
    await both('campaigns.update', key, { id, ...whole, subject: 'New' });
    const copy = await both('campaigns.duplicate', key, { id });
    const owner = await prisma.user.findUniqueOrThrow({ where: { id: test.project.ownerId } });
    await both('campaigns.test', key, { id, email: owner.email });
    await both('campaigns.requestApproval', key, { id, note: 'For the sale' });
    await both('campaigns.send', key, { id, scheduledFor: later() });
    await both('campaigns.unschedule', key, { id });
    await both('campaigns.send', key, { id });
    await both('campaigns.pause', key, { id });
    await both('campaigns.resume', key, { id });
    await both('campaigns.cancel', key, { id });
    const tested = await both('campaigns.create', key, {
      ...whole,
      test: { variants: [{ subject: 'Other' }] },
    });
    const testedId = tested.data?.id ?? tested.id;
    await both('campaigns.send', key, { id: testedId });
    await freezeAudience(test.services, testedId);
    await both('campaigns.decideTest', key, { id: testedId, winner: 'B' });
    await both('campaigns.createSequel', key, { id, kind: 'REST' });
    await prisma.campaign.update({ where: { id }, data: { status: 'SENT' } });
    const sent = await prisma.email.findFirstOrThrow({ where: { to: 'ann@people.test' } });
    await prisma.email.update({
      where: { id: sent.id },
      data: { campaignId: id, sourceType: 'CAMPAIGN', status: 'FAILED', batchId: null },
    });
    await both('campaigns.retry', key, { id, statuses: ['FAILED'] });
    await both('campaigns.delete', key, { id: copy.data?.id ?? copy.id });
  });

  it('workflows', async () => {
    const { key } = as;
    const { id } = await both('workflows.create', key, { name: 'W', eventName: 'signed_up' });
    const wait = { type: 'DELAY', position, config: { amount: 1, unit: 'days' } };
    const first = await both('workflows.addStep', key, { id, ...wait, name: 'One' });
    const second = await both('workflows.addStep', key, { id, ...wait, name: 'Two', autoConnect: false });
    await both('workflows.updateStep', key, { id, stepId: second.id, name: 'Three' });
    const way = await both('workflows.addTransition', key, {
      ...{ id, fromStepId: first.id, toStepId: second.id },
    });
    await both('workflows.deleteTransition', key, { id, transitionId: way.id });
    await both('workflows.deleteStep', key, { id, stepId: second.id });
    await both('workflows.update', key, { id, enabled: true });
    for (const name of ['Four', 'Five']) {
      await operationOf('workflows.updateStep').run(key, { id, stepId: first.id, name, publish: false });
      if (name === 'Four') await both('workflows.discardDraft', key, { id });
      else await both('workflows.publish', key, { id });
    }
    const ann = await test.services.database.prisma.contact.findFirstOrThrow({
      where: { email: 'ann@people.test' },
    });
    const run = await both('workflows.startExecution', key, { id, contactId: ann.id });
    await both('workflows.cancelExecution', key, { id, executionId: run.id });
    await operationOf('workflows.startExecution').run(key, { id, contactId: 'new@people.test' });
    await both('workflows.cancelExecutions', key, { id, contacts: ['new@people.test'] });
    await both('workflows.cancelAllExecutions', key, { id });
    await both('workflows.retryExecutions', key, { id });
    await test.services.database.prisma.workflowExecution.update({
      where: { id: run.id },
      data: { status: 'FAILED', completedAt: new Date() },
    });
    await both('workflows.retryExecution', key, { id, executionId: run.id });
    await operationOf('workflows.cancelAllExecutions').run(key, { id });
    await both('workflows.enter', key, { id, contacts: [ann.id] });
    const copy = await both('workflows.duplicate', key, { id });
    const { steps, transitions } = (await operationOf('workflows.get').run(key, { id: copy.id })) as Json;
    await both('workflows.replaceGraph', key, {
      ...{ id: copy.id, steps, transitions },
      steps: steps.map(({ id: stepId, type, name, config }: Json) => ({
        ...{ id: stepId, type, name, config, position },
      })),
      transitions: transitions.map(({ fromStepId, toStepId }: Json) => ({ fromStepId, toStepId })),
    });
    await both('workflows.delete', key, { id: copy.id });
    const { text } = (await operationOf('workflows.export').run(key, { id })) as Json;
    await both('workflows.import', key, JSON.parse(text));
    await both('workflows.createFromRecipe', key, { recipe: 'welcome', from });
  });

  it('webhook endpoints, exports and persisted documents', async () => {
    const { key } = as;
    const endpoint = await both('webhooks.create', key, { url: 'https://hooks.example.com/' });
    const { id } = endpoint;
    await both('webhooks.update', key, { id, description: 'Changed' });
    await both('webhooks.rotateSecret', key, { id });
    const { deliveryId } = (await operationOf('webhooks.test').run(key, { id })) as Json;
    await test.services.database.prisma.webhookDelivery.updateMany({ data: { status: 'FAILED' } });
    await both('webhooks.replayDelivery', key, { id, deliveryId });
    await both('webhooks.replay', key, { id, from: '2026-01-01', to: '2099-01-01' });
    await both('contacts.upsert', key, { email: 'hooked@people.test' });
    await both('webhooks.delete', key, { id });
    await both('exports.start', key, { type: 'contacts' });
    await both('privacy.export', key, { email: 'hooked@people.test' });
    await both('privacy.erase', key, { email: 'hooked@people.test', reason: 'asked' });
    const stored = await both('documents.persist', key, { documents: ['{ contact(id: "a") { id } }'] });
    await both('documents.delete', key, { id: (stored.data ?? stored)[0].id });
  });

  it('domains', async () => {
    const domain = await both('domains.create', as.key, { domain: 'second.example.com' });
    await both('domains.delete', as.key, { id: domain.id });
  });

  it('approvals', async () => {
    const { prisma } = test.services.database;
    const keyId = newId();
    await prisma.apiKey.create({
      data: {
        ...{ id: keyId, projectId: test.project.id, name: 'Agent', prefix: 'sk_', scope: 'agent' },
        hash: Uint8Array.from(sha256(keyId)),
      },
    });
    const named = { id: keyId, name: 'Agent', scope: 'agent', domains: null } as const;
    const agent: Context = {
      ...as.key,
      actor: { type: 'key', key: 'secret', projectId: test.project.id, named },
    };
    const template = (await operationOf('templates.create').run(as.key, { ...mail, name: 'A' })) as Json;
    const asks = ['templates.delete', 'contacts.bulkDelete'] as const;
    const inputs = [{ id: template.id }, { contactIds: [newId()] }];
    for (const [n, name] of asks.entries())
      await expect(operationOf(name).run(agent, inputs[n])).rejects.toMatchObject({
        code: 'APPROVAL_REQUIRED',
      });
    const asked = () =>
      prisma.approval.findMany({ where: { actorId: keyId }, orderBy: { createdAt: 'asc' } });
    const [first, second] = await asked();
    await both('approvals.approve', as.owner, { id: first?.id, hash: first?.hash });
    await both('approvals.decline', as.owner, { id: second?.id, reason: 'No' });
    expect((await asked()).map(({ status }) => status)).toEqual(['DONE', 'DECLINED']);
  });

  it('projects, members and keys', async () => {
    const { owner, person } = as;
    const { id } = test.project;
    await both('projects.create', owner, { name: 'Second' });
    await both('projects.update', owner, { id, name: 'Renamed' });
    await both('projects.regenerateKeys', owner, { id, graceHours: 1 });
    await both('projects.regenerateWebhookSecret', owner, { id });
    await test.services.database.prisma.project.update({ where: { id }, data: { subscription: 'sub_1' } });
    await both('billing.setLimits', owner, { id, transactional: 1_000 });
    await test.services.database.prisma.project.update({ where: { id }, data: { subscription: null } });
    const made = await both('keys.create', owner, { id, name: 'K', scope: 'read' });
    await both('keys.delete', owner, { id, keyId: made.id });
    await both('members.invite', owner, { id, email: 'person@people.test' });
    const { prisma } = test.services.database;
    const invitation = await prisma.invitation.findFirstOrThrow({ where: { email: 'person@people.test' } });
    await both('invitations.accept', person, { id: invitation.id });
    const userId = person.actor.type === 'user' ? person.actor.userId : '';
    await both('members.change', owner, { id, userId, role: 'ADMIN' });
    await both('members.remove', owner, { id, userId });
    await operationOf('members.invite').run(owner, { id, email: 'person@people.test' });
    const again = await prisma.invitation.findFirstOrThrow({ where: { email: 'person@people.test' } });
    await both('invitations.decline', person, { id: again.id });
  });

  it('the account of a user', async () => {
    const { owner } = as;
    await both('users.updateMe', owner, { language: 'de' });
    const password = 'correct horse battery';
    const anyone: Context = { ...as.person, actor: { type: 'anonymous' } };
    const { id } = (await operationOf('auth.signup').run(anyone, {
      ...{ email: 'protected@people.test', password },
    })) as Json;
    const { prisma } = test.services.database;
    await issueSession(test.services, { id });
    await issueSession(test.services, { id });
    const [mine, other] = await prisma.session.findMany({ where: { userId: id } });
    if (!mine || !other) throw new Error('two sessions are wanted');
    const person: Context = {
      ...as.person,
      actor: {
        ...{ type: 'user', userId: id, emailVerified: true, projectId: null, role: null },
        sessionId: mine.id,
      },
    };
    await both('auth.endSession', person, { id: other.id });
    await issueSession(test.services, { id });
    await both('auth.endOtherSessions', person, {});
    const app = await both('auth.addAuthenticatorApp', person, {});
    const { recoveryCodes } = await both('auth.confirmAuthenticatorApp', person, {
      code: totpCode(app.secret),
    });
    const [first, second, third, fourth] = recoveryCodes;
    const renewed = await both('auth.renewRecoveryCodes', person, { code: first });
    expect(renewed.recoveryCodes).not.toContain(second);
    const [fifth, sixth, seventh] = renewed.recoveryCodes;
    expect([third, fourth]).not.toContain(fifth);
    const authenticator = createAuthenticator(new URL(test.services.config.DASHBOARD_URL).origin);
    const { options } = await both('auth.startPasskey', person, {});
    const credential = authenticator.create(options.challenge);
    const { passkey } = await both('auth.addPasskey', person, { name: 'P', credential, code: fifth });
    await both('auth.challengePasskey', person, {});
    await both('auth.removePasskey', person, { id: passkey.id, code: sixth });
    await both('auth.removeSecondFactors', person, { code: seventh });
    await both('auth.changePassword', person, { currentPassword: password, newPassword: `${password}!` });
    const ctx = as.owner;
    await operationOf('members.invite').run(ctx, { id: test.project.id, email: 'protected@people.test' });
    const token = 'a'.repeat(64);
    await prisma.invitation.updateMany({
      where: { email: 'protected@people.test' },
      data: { tokenHash: Uint8Array.from(sha256(token)) },
    });
    await both('auth.acceptInvitation', person, { token });
    await prisma.user.update({ where: { id }, data: { passwordHash: null } });
    await both('users.requestDeletion', person, {});
    const link = 'b'.repeat(64);
    await prisma.authToken.updateMany({
      where: { userId: id, kind: 'DELETE_ACCOUNT' },
      data: { tokenHash: Uint8Array.from(sha256(link)) },
    });
    await both('users.deleteMe', person, { token: link });
  });

  it('a project that is reset and deleted', async () => {
    const other = await createTestProject(test.services, { name: 'Other' });
    const ctx = { ...(await other.userCtx('OWNER')), services: as.owner.services };
    await both('projects.reset', ctx, { id: other.id });
    await test.services.database.prisma.projectRemoval.deleteMany({});
    await both('projects.delete', ctx, { id: other.id });
  });

  it('is all of them', () => {
    const all = [...operationRegistry.values()].filter(({ hasDryRun }) => hasDryRun);
    expect(all.map(({ name }) => name).filter((name) => !done.has(name))).toEqual([]);
  });
});

describe('the doors', () => {
  const dry = { 'dry-run': 'true' };
  const contact = { email: 'dry@people.test' };
  const count = () => test.services.database.prisma.contact.count({ where: contact });

  it('REST: the status and the reply of the call, and the header in the reply', async () => {
    const send = test.withKey(test.project.secretKey);
    const answer = await send('POST', '/contacts', contact, dry);
    expect([answer.status, answer.headers['dry-run'], answer.body.email]).toEqual([
      201,
      'true',
      contact.email,
    ]);
    expect(answer.headers['ratelimit-remaining']).toBeDefined();
    expect(await count()).toBe(0);
    const refused = await send('POST', '/contacts', { email: 'none' }, dry);
    expect([refused.status, refused.headers['dry-run']]).toEqual([422, 'true']);
    const read = await send('GET', '/contacts', undefined, dry);
    expect(read.status).toBe(200);
    const earnest = await send('POST', '/contacts', { email: 'no@people.test' }, { 'dry-run': 'false' });
    expect([earnest.status, earnest.headers['dry-run']]).toEqual([201, undefined]);
  });

  it('REST: a refusal that needs a look at what is there is the same: an external id that another contact has', async () => {
    const send = test.withKey(test.project.secretKey);
    const owner = await send('POST', '/contacts', { email: 'owner@people.test', externalId: 'taken' });
    const other = await send('POST', '/contacts', { email: 'other@people.test' });
    for (const headers of [{}, dry]) {
      const created = { email: 'third@people.test', externalId: 'taken' };
      const answers = [
        await send('POST', '/contacts', created, headers),
        await send('PATCH', `/contacts/${other.body.id}`, { externalId: 'taken' }, headers),
      ];
      for (const { status, body } of answers)
        expect([status, body.error.code, body.error.details]).toEqual([
          409,
          'CONFLICT',
          { contactId: owner.body.id },
        ]);
    }
  });

  it.each(['1', 'yes', '', '?1', 'true, true'])(
    'REST: `Dry-Run: %s` is 400, and changes nothing',
    async (value) => {
      const answer = await test.withKey(test.project.secretKey)('POST', '/contacts', contact, {
        'dry-run': value,
      });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'BAD_REQUEST']);
      expect(await count()).toBe(0);
    },
  );

  it.each([
    ['POST', '/uploads/image', 400],
    ['POST', '/contacts/import', 400],
    ['GET', '/domains/{domain}/verify', 400],
    ['POST', '/webhook-endpoints/{endpoint}/test', 400],
  ])('REST: %s %s has something outside of the database: %d', async (method, path, status) => {
    const send = test.withKey(test.project.secretKey);
    const domain = (await send('GET', `/domains/project/${test.project.id}`)).body[0].id;
    const endpoint = (await send('POST', '/webhook-endpoints', { url: 'https://hooks.example.com/' })).body
      .id;
    const url = path.replace('{domain}', domain).replace('{endpoint}', endpoint);
    const isForm = path === '/uploads/image' || path === '/contacts/import';
    const name = path === '/uploads/image' ? 'image' : 'file';
    const form = `--x\r\ncontent-disposition: form-data; name="${name}"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\nemail\r\n--x--\r\n`;
    const answer = isForm
      ? await send(method, url, form, { ...dry, 'content-type': 'multipart/form-data; boundary=x' })
      : await send(method, url, method === 'GET' ? undefined : {}, dry);
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining('dry run')]);
  });

  it('REST: a path without a credential has none, and does not do it instead', async () => {
    const person = { email: 'dry-signup@people.test', password: 'correct horse battery' };
    const answer = await test.anyone('POST', '/auth/signup', person, dry);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await test.services.database.prisma.user.count({ where: { email: person.email } })).toBe(0);
  });

  it('REST: a session has it too, and gets no new cookie of it', async () => {
    const send = await test.withSession('OWNER');
    const answer = await send('POST', '/contacts', contact, dry);
    expect([answer.status, answer.headers['dry-run']]).toEqual([201, 'true']);
    expect(await count()).toBe(0);
  });

  it('an idempotency key beside it is 400, and stays free', async () => {
    const send = test.withKey(test.project.secretKey);
    const email = { ...mail, to: 'ann@people.test' };
    const both = await send('POST', '/v1/send', email, { ...dry, 'idempotency-key': 'once' });
    expect([both.status, both.body.error.code]).toEqual([400, 'BAD_REQUEST']);
    const query =
      'mutation($input: SendEmailInput!) { sendEmail(input: $input, idempotencyKey: "once") { timestamp } }';
    const graphql = await send('POST', '/graphql', { query, variables: { input: email } }, dry);
    expect(graphql.body.errors[0].extensions.code).toBe('BAD_REQUEST');
    const real = await send('POST', '/v1/send', email, { 'idempotency-key': 'once' });
    expect(real.status).toBe(200);
  });

  it('GraphQL: all mutations of the request', async () => {
    const query = `mutation {
      a: upsertContact(input: { email: "dry@people.test" }) { contact { email } }
      b: upsertContact(input: { email: "dry2@people.test" }) { isNew }
    }`;
    const answer = await test.withKey(test.project.secretKey)('POST', '/graphql', { query }, dry);
    expect(answer.body.errors).toBeUndefined();
    expect([answer.status, answer.body.data.a.contact.email, answer.headers['dry-run']]).toEqual([
      200,
      contact.email,
      'true',
    ]);
    expect(await count()).toBe(0);
  });

  it('tRPC: the same header', async () => {
    const send = await test.withSession('OWNER');
    const answer = await send('POST', '/trpc/contacts.upsert', contact, dry);
    expect(answer.status).toBe(200);
    expect(await count()).toBe(0);
  });

  it('the request log says which request was one', async () => {
    await requestLogOf(test.services).settled();
    const { data } = (await operationOf('requests.list').run(as.key, { limit: 100 })) as Json;
    const of = (operation: string) =>
      data.filter((entry: Json) => entry.operation === operation).map((entry: Json) => entry.dryRun);
    expect(new Set(of('contacts.upsert'))).toEqual(new Set([true, false]));
  });
});
