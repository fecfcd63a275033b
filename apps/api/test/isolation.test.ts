import { requestLogOf } from '@postrider/core/insight/requests';
import { createTestProject, type TestProject } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nameAsker } from './agent-attempts.ts';
import { type Call, everyCall, exampleInputs, unknownId } from './every-call.ts';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';
import type { Json } from './openapi-walk.ts';
import { type Kind, kinds, type World, worldOf } from './world.ts';

/**
 * Behaviour B7.3: the id of another project's record is answered exactly as an unknown one, wherever an operation takes an id. The
 * places are found in the inputs, so a new operation is tested without a line here.
 */
const kindOfField: Record<string, Kind> = {
  projectId: 'project',
  contactId: 'contact',
  contactIds: 'contact',
  excludeIds: 'contact',
  template: 'template',
  templateId: 'template',
  campaignId: 'campaign',
  familyId: 'campaign',
  segmentId: 'segment',
  workflowId: 'workflow',
  stepId: 'step',
  fromStepId: 'step',
  toStepId: 'step',
  transitionId: 'transition',
  goalId: 'goal',
  wordingId: 'wording',
  email: 'email',
  emailId: 'email',
  sharedMessageId: 'email',
  contact: 'contact',
  campaign: 'campaign',
  segment: 'segment',
  workflow: 'workflow',
  executionId: 'execution',
  deliveryId: 'delivery',
  keyId: 'key',
  userId: 'user',
  actorId: 'user',
  targetId: 'template',
};
/** What `id` names, by the first part of the name of an operation. */
const kindOfArea: Record<string, Kind> = {
  analytics: 'campaign',
  auth: 'session',
  billing: 'project',
  campaigns: 'campaign',
  consent: 'contact',
  contacts: 'contact',
  domains: 'domain',
  forms: 'form',
  goals: 'goal',
  keys: 'project',
  members: 'project',
  projects: 'project',
  reputation: 'project',
  segments: 'segment',
  sending: 'email',
  templates: 'template',
  topics: 'topic',
  webhooks: 'endpoint',
  wordings: 'wording',
  workflows: 'workflow',
};
const kindOfJob: Record<string, Kind> = {
  'contacts.getImport': 'import',
  'contacts.getBulkJob': 'bulk',
  'webhooks.getReplay': 'replay',
  'exports.get': 'export',
  'workflows.getJob': 'export',
};

/** Lists that an unknown id leaves empty, jobs that pass over unknown ids, and what is refused before it is looked up. */
const unnoticed = new Set([
  'activity.groups contactId',
  'activity.list contactId',
  'analytics.breakdown workflowId',
  'analytics.links campaignId',
  'analytics.links stepId',
  'analytics.links templateId',
  'audit.list actorId',
  'audit.list targetId',
  'auth.removePasskey id',
  'campaigns.list familyId',
  'contacts.bulkAddToSegment contactIds',
  'contacts.bulkAddToSegment excludeIds',
  'contacts.bulkDelete contactIds',
  'contacts.bulkDelete excludeIds',
  'contacts.bulkSubscribe contactIds',
  'contacts.bulkSubscribe excludeIds',
  'contacts.bulkUnsubscribe contactIds',
  'contacts.bulkUnsubscribe excludeIds',
  'contacts.bulkUpdate contactIds',
  'contacts.bulkUpdate excludeIds',
  'contacts.bulkTopics contactIds',
  'contacts.bulkTopics excludeIds',
  'domains.list projectId',
  'requests.list emailId',
  'requests.list keyId',
  'search.findNodes ids',
  'segments.ofEach ids',
  'sending.listEmails campaignId',
  'sending.listEmails contactId',
  'sending.listEmails sharedMessageId',
  'sending.listEmails templateId',
  'workflows.import entry.filter',
  'workflows.import exits.condition',
  'workflows.import trigger.filter',
  'workflows.listExecutions contact',
  'workflows.listExecutionsOfContact contactId',
]);

/** The sender of a variant is of another domain in examples than that of its campaign. */
const withoutTest = ({ test: _test, ...input }: Json): Json => input;

/** What examples need so that the record of a place is looked up at all. */
const adapted: Record<string, (input: Json, place: string) => Json> = {
  'analytics.breakdown': ({ campaignId, ...input }, place) =>
    place === 'campaignId' ? { by: 'variant', campaignId } : input,
  'campaigns.create': withoutTest,
  'campaigns.preflightDraft': withoutTest,
  'campaigns.update': withoutTest,
  'analytics.links': (input, place) => ({ [place]: input[place] }),
  'explain.get': (input, place) => ({
    ...(place !== 'email' && { contact: input.contact }),
    [place]: input[place],
  }),
  'contacts.bulkTopics': (input) => ({ ...input, topics: { general: false } }),
  'exports.start': (input, place) =>
    place === 'campaignId'
      ? { type: 'recipients', campaignId: input.campaignId }
      : place === 'goalId'
        ? { type: 'conversions', goalId: input.goalId }
        : { type: place === 'templateId' ? 'emails' : 'contacts', [place]: input[place] },
  // Examples of bodies do not have what is in the path.
  'contacts.update': (input) => ({ ...input, id: input.id ?? mine.contact }),
  'forms.update': ({ id }) => ({ id }),
  'privacy.erase': ({ contactId }) => ({ contactId }),
  'privacy.export': ({ contactId }) => ({ contactId }),
  'sending.send': ({ topic: _topic, ...input }) => input,
  'sending.previewContent': (input) => ({ ...input, subject: 'S', body: 'B', type: 'MARKETING' }),
  'workflows.update': ({ id, triggerConfig: { segmentId, filter, cron }, entry, goals, exits }, place) => {
    if (place === 'id') return { id };
    if (place.startsWith('goals')) return { id, goals: goals.map(({ goalId }: Json) => ({ goalId })) };
    if (place.startsWith('exits'))
      return { id, exits: exits.map(({ condition }: Json) => ({ name: 'X', condition })) };
    if (place === 'entry.filter') return { id, entry: { filter: entry.filter } };
    const whom = place === 'triggerConfig.filter' ? { filter } : { segmentId };
    return { id, triggerType: 'SCHEDULE', triggerConfig: { cron, ...whom } };
  },
  'workflows.enter': ({ id, segmentId, filter }, place) => {
    if (place === 'segmentId') return { id, segmentId };
    return place === 'filter' ? { id, filter } : { id, contacts: ['nobody@people.test'] };
  },
  'workflows.replaceGraph': ({ ifUpdatedAt: _version, ...input }) => input,
  'workflows.publish': ({ id }) => ({ id }),
  'workflows.cancelExecutions': ({ id, segmentId, contacts, filter }, place) =>
    place === 'contacts' ? { id, contacts } : place === 'filter' ? { id, filter } : { id, segmentId },
  'workflows.previewPublish': ({ id }) => ({ id }),
  'workflows.simulate': ({ id, contactId, segmentId, filter }, place) =>
    place === 'contactId'
      ? { id, mode: 'CONTACT', contactId }
      : {
          id,
          mode: 'SAMPLE',
          ...(place === 'segmentId' && { segmentId }),
          ...(place === 'filter' && { filter }),
        },
  'sending.reschedule': ({ id }) => ({ id, scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }),
  'webhooks.replay': (input) => ({ ...input, to: '2099-01-01' }),
};

/** Part of every text of the other project. */
const marker = 'marker-of-the-other-project';
let test: TestApp;
let mine: World;
let other: World;
let otherProject: TestProject;
let key: Send;
let session: Send;

beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });
  otherProject = await createTestProject(test.services, { name: marker });
  mine = await worldOf(test, test.project, 'own');
  await nameAsker(test, test.project.id, mine.from);
  // Without hosts whose links are tagged, no campaign can ask for tags.
  await test.services.database.prisma.project.update({
    where: { id: test.project.id },
    data: { utm: { enabled: false, source: 'postrider', medium: 'email', hosts: ['shop.example'] } },
  });
  other = await worldOf(test, otherProject, marker);
  key = test.withKey(test.project.secretKey);
  session = await test.withSession();
});
afterAll(() => test.close());

type Path = readonly (string | number)[];
interface Place {
  path: Path;
  kind: Kind;
  /** a complete input, with own ids everywhere else */
  inputWith(id: string): Json;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isTree = (value: Json): boolean => Array.isArray(value?.groups) && 'logic' in value;
const memberOf = (id: string) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: `segment.${id}`, operator: 'memberOfSegment' }] }],
});

/** Every place of an input that holds an id, and every filter tree, which can name a segment. */
function placesIn(value: Json, path: Path = []): Path[] {
  if (typeof value === 'string') return uuid.test(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (isTree(value)) return [path];
  return Object.entries<Json>(value).flatMap(([name, item]) =>
    placesIn(item, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

const fieldOf = (path: Path): string => path.findLast((part) => typeof part === 'string') ?? '';
const textOf = (path: Path): string => path.filter((part) => typeof part === 'string').join('.');

/** What an id may name; every kind for a field that is not listed above. */
function kindsOf(operation: string, path: Path, value: Json): readonly Kind[] {
  if (isTree(value)) return ['segment'];
  const field = fieldOf(path);
  const kind =
    field === 'jobId'
      ? kindOfJob[operation]
      : field === 'id' || field === 'ids'
        ? kindOfArea[operation.split('.')[0] ?? '']
        : kindOfField[field];
  return kind ? [kind] : kinds;
}

const at = (value: Json, path: Path): Json => path.reduce((inner: Json, part) => inner?.[part], value);

function put(input: Json, path: Path, id: string): Json {
  const copy = structuredClone(input);
  const last = path.at(-1) ?? '';
  at(copy, path.slice(0, -1))[last] = isTree(at(input, path)) ? memberOf(id) : id;
  return copy;
}

/** The example inputs of an operation with the records of the own project; without examples, its ids alone. */
function ownInputs({ name, input }: Call['operation'], examples: Json[]): Json[] {
  const shown = examples.length > 0 ? examples : [idsOf(input)];
  return shown.map((example) => {
    const { cursor: _cursor, ...rest } = example;
    let own = typeof rest.from === 'string' && rest.from.includes('@') ? { ...rest, from: mine.from } : rest;
    for (const path of placesIn(example)) {
      const value = at(example, path);
      const [kind = 'project', ...others] = kindsOf(name, path, value);
      const known = others.length === 0 ? mine[kind] : unknownId;
      const record = fieldOf(path) === 'toStepId' ? mine.secondStep : known;
      if (!isTree(value)) own = put(own, path, record);
    }
    return own;
  });
}

/** The ids that the schema of an input has at its first level. */
const idsOf = (input: z.ZodType): Json => {
  const names = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  const given: Json = {};
  for (const name of names) {
    if (/^id$|Id$/.test(name)) given[name] = unknownId;
    if (/^ids$|Ids$/.test(name)) given[name] = [unknownId];
  }
  return given;
};

function placesOf(call: Call): Place[] {
  const { operation } = call;
  const places = new Map<string, Place>();
  const inputs = exampleInputs(operation);
  for (const [index, input] of ownInputs(operation, inputs).entries())
    for (const path of placesIn(input)) {
      const isOfEveryExample = path.length === 1 && index > 0 && at(inputs[0], path) !== undefined;
      if (isOfEveryExample) continue;
      const adapt = adapted[operation.name] ?? ((given: Json) => given);
      for (const kind of kindsOf(operation.name, path, at(input, path)))
        places.set(`${index} ${path.join('.')} ${kind}`, {
          path,
          kind,
          inputWith: (id) => adapt(put(input, path, id), textOf(path)),
        });
    }
  return [...places.values()];
}

async function ask(call: Call, input: Json): Promise<Answer> {
  const { method, url, payload } = call.requestOf(input);
  if (call.door === 'tRPC') return session(method, url, payload);
  const answer = await key(method, url, payload);
  return codeOf(answer) === 'UNAUTHORIZED' ? session(method, url, payload) : answer;
}

/** An answer without what differs between two requests with the same meaning. */
const comparable = ({ status, text }: Answer): string =>
  `${status} ${text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<date>')}`;

/** The text of every row of the other project. */
async function rowsOfOther(): Promise<string> {
  const { durable } = test.services.database;
  const { rows: tables } = await durable.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE column_name = 'projectId' AND table_schema = current_schema() AND table_name NOT IN ('RateWindow') ORDER BY 1`,
  );
  const texts = [];
  for (const { name } of tables) {
    const { rows } = await durable.query<{ text: string }>(
      `SELECT t::text AS text FROM "${name}" t WHERE "projectId" = $1 ORDER BY 1`,
      [other.project],
    );
    texts.push(name, ...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

describe('the id of another project', () => {
  it('is answered as an unknown one, in every place and through every door, and changes nothing', async () => {
    await requestLogOf(test.services).settled();
    const before = await rowsOfOther();
    const different: string[] = [];
    const notLookedUp: string[] = [];
    for (const call of everyCall(test.services))
      for (const { path, kind, inputWith } of placesOf(call)) {
        const unknown = await ask(call, inputWith(unknownId));
        const foreign = await ask(call, inputWith(other[kind]));
        const place = `${call.operation.name} ${textOf(path)}`;
        if (comparable(unknown) !== comparable(foreign) || foreign.text.includes(marker))
          different.push(`${call.name} ${place}: ${unknown.text}, but ${foreign.text}`);
        const isRefused = /"(\w+_NOT_FOUND|PROJECT_ACCESS_DENIED|unknown_segment|unknown_reference)"/.test(
          unknown.text,
        );
        if (isRefused === unnoticed.has(place) && call.operation.name !== 'domains.list')
          notLookedUp.push(`${call.name} ${place}: ${unknown.text}`);
      }
    expect(different).toEqual([]);
    expect(notLookedUp).toEqual([]);
    expect(await rowsOfOther()).toBe(before);
  }, 300_000);

  it('in a cursor continues no list of the other project', async () => {
    const owner = test.withKey(otherProject.secretKey);
    let continued = 0;
    for (const call of everyCall(test.services)) {
      if (call.door !== 'REST' || !(call.operation.input instanceof z.ZodObject)) continue;
      if (!('cursor' in call.operation.input.shape)) continue;
      const ids =
        call.operation.name === 'campaigns.recipients' ? { id: other.campaign } : { id: other.endpoint };
      const { url } = call.requestOf({ ...('id' in call.operation.input.shape ? ids : {}), limit: 1 });
      const { cursor } = (await owner('GET', url)).body;
      if (typeof cursor !== 'string') continue;
      const inPath = 'id' in call.operation.input.shape ? { id: mine.endpoint } : {};
      const { url: next } = call.requestOf({ ...inPath, limit: 1, cursor });
      const answer = await key('GET', next);
      // Some cursors belong to one record of their project.
      expect([url, answer.status]).toEqual([url, answer.status === 400 ? 400 : 200]);
      expect(answer.text).not.toContain(marker);
      continued += 1;
    }
    expect(continued).toBeGreaterThan(2);
  });
});
