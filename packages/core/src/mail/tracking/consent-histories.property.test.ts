import fc from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyConsent, writeConsents } from '../../audience/consent/index.ts';
import {
  bulkSubscribeContacts,
  bulkUnsubscribeContacts,
  deleteContact,
  endSnoozes,
  runBulkBatch,
  runImport,
  startContactImport,
  updateContact,
  updateContactsById,
  upsertContact,
} from '../../audience/contacts/index.ts';
import { recordEvent, trackEvent } from '../../audience/events/index.ts';
import { AppError, type Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { encodeLink } from '../message/index.ts';
import { changePreferences } from './change-preferences.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
  // The database refuses everything that has no act, contacts that are created included.
  await prisma().consentPass.updateMany({ data: { completedAt: new Date() } });
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const names = ['ann', 'ben', 'cyd'];
const keys = ['general', 'news', 'jobs'];

const choice = fc.constantFrom<boolean | undefined>(undefined, true, false);
const topics = fc.option(fc.dictionary(fc.constantFrom(...keys), fc.boolean(), { maxKeys: 2 }), {
  nil: undefined,
});
const named = { name: fc.constantFrom(...names) };
const consent = fc.option(
  fc.record({
    basis: fc.constantFrom('given' as const, 'confirmed' as const, 'customer' as const),
    at: fc.constantFrom(undefined, '2024-05-01T10:00:00.000Z'),
  }),
  { nil: undefined, freq: 4 },
);

/** One thing that somebody does, at any door. */
const deed = fc.oneof(
  fc.record({ door: fc.constant('upsert' as const), ...named, subscribed: choice, topics, consent }),
  fc.record({
    door: fc.constant('update' as const),
    ...named,
    subscribed: choice,
    topics,
    consent,
    to: fc.constantFrom(undefined, 'dee'),
  }),
  fc.record({
    door: fc.constant('track' as const),
    ...named,
    subscribed: choice,
    topics,
    isPublic: fc.boolean(),
  }),
  fc.record({ door: fc.constant('bulk' as const), subscribed: fc.boolean() }),
  fc.record({
    door: fc.constant('import' as const),
    word: fc.constantFrom('yes', 'no', '', 'snoozed'),
    field: fc.constantFrom('true', 'false', 'keep'),
  }),
  fc.record({ door: fc.constant('workflow' as const), ...named, subscribed: choice, topics }),
  fc.record({
    door: fc.constant('page' as const),
    ...named,
    action: fc.constantFrom('subscribe' as const, 'unsubscribe' as const, 'snooze' as const),
    source: fc.constantFrom('page' as const, 'one_click' as const),
  }),
  fc.record({ door: fc.constant('save' as const), ...named, ticked: fc.subarray([1, 2, 3]) }),
  fc.record({ door: fc.constant('end' as const), ...named, topic: fc.constantFrom(1, 2, 3) }),
  fc.record({
    door: fc.constant('report' as const),
    ...named,
    source: fc.constantFrom('bounce' as const, 'complaint' as const),
  }),
  fc.record({ door: fc.constant('wake' as const) }),
  fc.record({ door: fc.constant('delete' as const), ...named }),
);
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;

const address = (name: string): string => `${name}@people.test`;

async function prepareProject(): Promise<TestProject> {
  const project = await createTestProject(test.services);
  await prisma().topic.createMany({
    data: keys.slice(1).map((key, index) => ({
      ...{ id: newId(), projectId: project.id, number: index + 2, key, name: { en: key } },
      default: index === 0 ? ('IN' as const) : ('OUT' as const),
    })),
  });
  return project;
}

/** Refusals of an operation are outcomes like any other. */
async function attempt(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function act(project: TestProject, anyone: Context, given: Deed): Promise<void> {
  const { ctx } = project;
  const idOf = async (name: string) =>
    (
      await prisma().contact.findFirst({
        where: { projectId: project.id, email: address(name) },
        select: { id: true },
      })
    )?.id;
  const recipient = {
    by: 'recipient',
    source: 'page',
    actor: 'recipient',
    reason: 'page',
    always: true,
  } as const;
  const say = (contact: string, statement: object) =>
    prisma().$transaction((db) =>
      writeConsents(db, project.id, recipient, [{ contact, kind: 'state', ...statement }]),
    );
  switch (given.door) {
    case 'upsert': {
      const { door: _, name, ...input } = given;
      return attempt(upsertContact.runRaw(ctx, { email: address(name), ...input }));
    }
    case 'update': {
      const { door: _, name, to, ...input } = given;
      return attempt(
        updateContact.runRaw(ctx, { id: address(name), ...input, ...(to && { email: address(to) }) }),
      );
    }
    case 'track': {
      const { door: _, name, isPublic, ...input } = given;
      const event = { email: address(name), event: 'seen', ...input };
      return attempt(isPublic ? trackEvent.runRaw(project.publicCtx, event) : recordEvent.runRaw(ctx, event));
    }
    case 'bulk': {
      const operation = given.subscribed ? bulkSubscribeContacts : bulkUnsubscribeContacts;
      const { jobId } = await operation.runRaw(ctx, { mode: 'query', filter: {} });
      while (await runBulkBatch(test.services, jobId));
      return;
    }
    case 'import': {
      const rows = names.map(
        (name) => `${address(name)},${given.word === 'snoozed' ? `,2040-01-01` : `${given.word},`}`,
      );
      const csv =
        given.word === ''
          ? `email\n${names.map(address).join('\n')}\n`
          : `email,subscribed,snoozedUntil\n${rows.join('\n')}\n`;
      const { jobId } = await startContactImport.runRaw(ctx, { csv, subscribed: given.field });
      return runImport(test.services, jobId);
    }
    case 'workflow': {
      const { name, subscribed = null } = given;
      const id = await idOf(name);
      if (!id) return;
      const said = { by: 'mass', source: 'workflow', actor: 'system', reason: 'workflow' } as const;
      const choices = {
        yes: given.topics?.['news'] ? [2] : undefined,
        no: given.topics?.['news'] === false ? [2] : undefined,
      };
      const change = {
        id,
        email: address(name),
        subscribed,
        set: { seen: newId() },
        unset: [],
        choices: choices as { yes?: number[]; no?: number[] },
      };
      await prisma().$transaction((db) =>
        updateContactsById(db, test.services.secrets, project.id, [change], said),
      );
      return;
    }
    case 'page': {
      const id = await idOf(given.name);
      if (!id) return;
      const token = encodeLink(test.services.secrets, { kind: 'preferences', contactId: id, emailId: null });
      const { action, source } = given;
      await changePreferences.run(anyone, {
        token,
        action,
        source,
        ...(action === 'snooze' && { duration: '2w' as const }),
      });
      return;
    }
    case 'save': {
      const id = await idOf(given.name);
      const { ticked } = given;
      const no = [1, 2, 3].filter((topic) => !ticked.includes(topic));
      if (id)
        await say(id, {
          yes: ticked,
          no,
          defaults: false,
          keepsPause: true,
          ...(ticked.length === 0 && { wanted: false }),
        });
      return;
    }
    case 'end': {
      const id = await idOf(given.name);
      if (id) await say(id, { no: [given.topic], endsIfNothing: true });
      return;
    }
    case 'report': {
      const id = await idOf(given.name);
      if (id)
        await say(id, {
          wanted: false,
          source: given.source,
          actor: 'system',
          ifReachable: given.source === 'bounce',
        });
      return;
    }
    case 'wake':
      await prisma().$transaction((db) => endSnoozes(db, new Date(Date.now() + 86_400_000 * 30), 100));
      return;
    case 'delete':
      return attempt(deleteContact.runRaw(ctx, { id: address(given.name) }));
  }
}

interface State {
  subscribed: boolean;
  snoozedUntil: string | null;
  on: number[];
  off: number[];
  defaults: boolean;
  stated: boolean;
  by: 'request' | 'recipient' | null;
  basis: string | null;
}

interface Before {
  subscribed: boolean;
  snoozedUntil: string | null;
  stated: boolean;
  optOutBy: State['by'];
  consentBasis: string | null;
  topicsOn: number[];
  topicsOff: number[];
  topicDefaults: boolean;
}

const bases = ['unknown', 'default', 'customer', 'given', 'confirmed'];
const stronger = (one: string | null, other: string | null): string | null =>
  bases.indexOf(one ?? '') >= bases.indexOf(other ?? '') ? one : other;

type Act = Awaited<ReturnType<ReturnType<typeof prisma>['consentAct']['findMany']>>[number];

/** The state of a contact by its acts, as the page about the consent log describes it. */
function fold(acts: readonly Act[]): State {
  let state: State = {
    subscribed: false,
    snoozedUntil: null,
    on: [],
    off: [],
    defaults: true,
    stated: false,
    by: null,
    basis: null,
  };
  for (const given of acts) {
    if (given.effect !== 'changed') continue;
    if (given.before !== null) {
      const before = given.before as unknown as Before;
      state = {
        ...{
          subscribed: before.subscribed,
          stated: before.stated,
          by: before.optOutBy,
          basis: before.consentBasis,
        },
        ...{ on: before.topicsOn, off: before.topicsOff, defaults: before.topicDefaults },
        snoozedUntil: before.snoozedUntil === null ? null : new Date(before.snoozedUntil).toISOString(),
      };
    }
    const { action } = given;
    if (['subscribe', 'unsubscribe', 'topics', 'confirm'].includes(action)) {
      state.on = [...new Set([...state.on, ...given.topicsOn])].filter(
        (topic) => !given.topicsOff.includes(topic),
      );
      state.off = [...new Set([...state.off, ...given.topicsOff])].filter(
        (topic) => !given.topicsOn.includes(topic),
      );
      state.defaults = given.topicDefaults ?? state.defaults;
      state.stated = true;
    }
    if (action === 'subscribe' || action === 'confirm') {
      state.basis = state.subscribed ? stronger(given.basis, state.basis) : given.basis;
      Object.assign(state, { subscribed: true, snoozedUntil: null, by: null });
    } else if (action === 'topics') {
      if (state.subscribed) state.basis = stronger(given.basis, state.basis);
    } else if (action === 'unsubscribe') {
      Object.assign(state, { subscribed: false, snoozedUntil: null, by: given.optOutBy, basis: null });
    } else if (action === 'snooze') {
      Object.assign(state, {
        subscribed: false,
        snoozedUntil: given.until?.toISOString(),
        by: null,
        stated: true,
      });
    } else if (action === 'resume') Object.assign(state, { subscribed: true, snoozedUntil: null });
    if (state.stated && !state.subscribed && state.snoozedUntil === null) state.by ??= 'request';
  }
  return { ...state, on: state.on.toSorted((a, b) => a - b), off: state.off.toSorted((a, b) => a - b) };
}

it('whatever is said at all doors at once, the acts of a contact say what it is', async () => {
  const anyone = async (): Promise<Context> => ({
    ...(await prepareProject()).ctx,
    actor: { type: 'anonymous' },
    project: null,
  });
  const nobody = await anyone();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (writers) => {
        const project = await prepareProject();
        await Promise.all(
          writers.map(async (deeds) => {
            for (const each of deeds) await act(project, nobody, each);
          }),
        );
        const differing: unknown[] = [];
        for await (const each of verifyConsent(test.services, project.id)) differing.push(each);
        expect(differing).toEqual([]);
        for (const contact of await prisma().contact.findMany({ where: { projectId: project.id } })) {
          const acts = await prisma().consentAct.findMany({
            where: { contactId: contact.id },
            orderBy: { seq: 'asc' },
          });
          expect(
            fold(acts),
            JSON.stringify(acts.map(({ seq: _, ...each }) => ({ ...each, seq: undefined }))),
          ).toEqual({
            ...{
              subscribed: contact.subscribed,
              on: contact.topicsOn,
              off: contact.topicsOff,
              defaults: contact.topicDefaults,
            },
            ...{ stated: contact.stated, by: contact.optOutBy, basis: contact.consentBasis },
            snoozedUntil: contact.snoozedUntil?.toISOString() ?? null,
          });
        }
      },
    ),
    { numRuns: Number(process.env['CONSENT_HISTORIES'] ?? 12) },
  );
}, 600_000);
