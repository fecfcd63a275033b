import { enterDueBatch } from '@postrider/core/automation/workflows';
import { newId } from '@postrider/core/base/lib';
import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Send, startApp, type TestApp } from './harness.ts';
import { editorOf, refusalOf } from './workflow-kit.ts';

/** Who enters a workflow, through REST (behaviour B14.5), and workflows named by their alias. */
let test: TestApp;
let send: Send;
let stranger: Send;
let edit: ReturnType<typeof editorOf>;

beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
  edit = editorOf(send);
  stranger = test.withKey((await createTestProject(test.services)).secretKey);
  await verifiedDomain(test.services, test.project.id, 'mail.test');
});
afterAll(() => test.close());

const patch = (id: string, body: object) => send('PATCH', `/workflows/${id}`, body);
const tree = (field: string, value: unknown = 'x') => ({
  logic: 'AND',
  groups: [{ filters: [{ field, operator: 'equals', value }] }],
});

describe('entry rules', () => {
  it('are replaced whole, and make a version of an enabled workflow', async () => {
    const id = await edit.workflow({ allowReentry: true });
    const filter = tree('data.plan', 'pro');
    const every = { amount: 3, unit: 'days' };
    expect((await patch(id, { entry: { filter, every }, timeZone: 'europe/berlin' })).body).toMatchObject({
      entry: { filter, limit: null, every },
      timeZone: 'Europe/Berlin',
      version: null,
    });
    expect((await patch(id, { enabled: true })).body).toMatchObject({ version: 1 });
    expect((await patch(id, { entry: { limit: 5 }, timeZone: null })).body).toMatchObject({
      entry: { filter: null, limit: 5, every: null },
      timeZone: null,
      version: 2,
    });
    // A form sends all of its fields.
    expect((await patch(id, { entry: { limit: 5 } })).body).toMatchObject({ version: 2 });
    const draft = await patch(id, { entry: { limit: 9 }, publish: false });
    expect(draft.body).toMatchObject({ entry: { limit: 5 }, draft: { changes: 1 } });
    const preview = await send('POST', `/workflows/${id}/publish/preview`, {});
    expect(preview.body.changes).toEqual([
      { kind: 'entry', stepKey: null, fields: ['entry.limit'], people: 0 },
    ]);
    expect((await send('GET', `/workflows/${id}?definition=draft`)).body.entry.limit).toBe(9);
    expect((await patch(id, { entry: {} })).status).toBe(409);
    const first = await send('GET', `/workflows/${id}/versions/2`);
    expect(first.body.definition).toMatchObject({ entry: { limit: 5 }, timeZone: null });
    const lists = async (query: string) =>
      (await send('GET', `/workflows?${query}`)).body.data.map((each: { id: string }) => each.id);
    expect(await lists('hasDraft=true')).toEqual([id]);
    expect(await lists('hasDraft=false')).not.toContain(id);
    expect((await send('POST', `/workflows/${id}/publish`, {})).body.workflow.entry.limit).toBe(9);
  });

  it.each([
    ['a limit of none', { entry: { limit: 0 } }, 'entry.limit: too_small'],
    ['too high a limit', { entry: { limit: 1_001 } }, 'entry.limit: too_big'],
    ['an interval without a unit', { entry: { every: { amount: 1 } } }, 'entry.every.unit: required'],
    [
      'a part of a unit',
      { entry: { every: { amount: 0.5, unit: 'days' } } },
      'entry.every.amount: invalid_type',
    ],
    [
      'another unit',
      { entry: { every: { amount: 1, unit: 'weeks' } } },
      'entry.every.unit: invalid_enum_value',
    ],
    ['an unknown rule', { entry: { most: 1 } }, 'entry.most: unsupported_field'],
    ['no tree', { entry: { filter: 7 } }, 'entry.filter: invalid_type'],
    [
      'a field that there is not',
      { entry: { filter: tree('colour') } },
      'entry.filter.groups.0.filters.0.field: unsupported_field',
    ],
    [
      'a segment that there is not',
      {
        entry: {
          filter: {
            logic: 'AND',
            groups: [{ filters: [{ field: `segment.${newId()}`, operator: 'memberOfSegment' }] }],
          },
        },
      },
      'entry.filter.groups.0.filters.0.field: unknown_segment',
    ],
    ['no zone', { timeZone: 'Mars' }, 'timeZone: invalid_timezone'],
    ['no alias', { alias: 'A b' }, 'alias: invalid_string'],
  ])('are refused: %s', async (_case, body, refusal) => {
    const id = await edit.workflow({ allowReentry: true });
    expect(refusalOf(await patch(id, body))).toEqual([422, 'VALIDATION_ERROR', refusal]);
  });

  it('keep what their filters name from being deleted', async () => {
    const { body: segment } = await send('POST', '/segments', { name: 'VIP', type: 'STATIC' });
    const id = await edit.workflow({ name: 'Uses it' });
    const filter = {
      logic: 'AND',
      groups: [{ filters: [{ field: `segment.${segment.id}`, operator: 'memberOfSegment' }] }],
    };
    await patch(id, { entry: { filter } });
    expect(refusalOf(await send('DELETE', `/segments/${segment.id}`))[0]).toBe(409);
    expect((await send('GET', `/segments/${segment.id}/usage`)).body).toMatchObject({
      usedInWorkflows: [{ id, name: 'Uses it' }],
    });
    await patch(id, {
      entry: {},
      triggerType: 'DATE',
      triggerConfig: { field: 'data.renews', repeat: 'ONCE' },
    });
    expect((await send('GET', '/contacts/fields/data.renews/usage')).body).toMatchObject({
      usedInWorkflows: [{ id, name: 'Uses it' }],
    });
    expect((await send('DELETE', `/segments/${segment.id}`)).status).toBe(204);
  });

  it('cannot be enabled for an event of a segment that does not track its members', async () => {
    const { body: segment } = await send('POST', '/segments', {
      name: 'Fans',
      type: 'DYNAMIC',
      condition: tree('data.fan', true),
    });
    const id = await edit.workflow({ eventName: 'segment.fans.entry' });
    const refused = await patch(id, { enabled: true });
    expect([refused.status, refused.body.error.suggestion]).toEqual([
      400,
      'Turn on trackMembership of the segment first',
    ]);
    await send('PATCH', `/segments/${segment.id}`, { trackMembership: true });
    expect((await patch(id, { enabled: true })).status).toBe(200);
  });
});

describe('an alias', () => {
  it('stands for the id of its workflow, in its project alone', async () => {
    const id = await edit.workflow();
    expect((await patch(id, { alias: 'onboarding' })).body.alias).toBe('onboarding');
    await patch('onboarding', { enabled: true });
    const contact = await edit.contact('alias@people.test');
    const step = await send('POST', '/workflows/onboarding/steps', {
      ...{ type: 'EXIT', name: 'Out', position: { x: 0, y: 0 }, config: {} },
    });
    expect(step.body).toMatchObject({ workflowId: id, name: 'Out' });
    const run = await send('POST', '/workflows/onboarding/executions', { contactId: contact });
    expect(run.body).toMatchObject({ workflowId: id });
    for (const [method, path, status] of [
      ['GET', '', 200],
      ['GET', '/export', 200],
      ['GET', '/versions', 200],
      ['GET', '/versions/2', 200],
      ['GET', '/executions', 200],
      ['GET', `/executions/${run.body.id}`, 200],
      ['POST', '/publish/preview', 409],
      ['POST', '/executions/cancel-all', 200],
      ['POST', '/duplicate', 201],
    ] as const) {
      expect([path, (await send(method, `/workflows/onboarding${path}`)).status]).toEqual([path, status]);
      expect([path, (await stranger(method, `/workflows/onboarding${path}`)).status]).toEqual([path, 404]);
    }
    const other = await edit.workflow();
    expect(await patch(other, { alias: 'onboarding' })).toMatchObject({
      status: 409,
      body: { error: { details: { workflowId: id } } },
    });
    expect((await patch(id, { alias: 'onboarding' })).status).toBe(200);
    expect((await patch(id, { alias: null })).body.alias).toBeNull();
    expect((await patch(other, { alias: 'onboarding' })).status).toBe(200);
    expect((await send('DELETE', '/workflows/onboarding')).status).toBe(204);
    expect((await send('GET', '/workflows/onboarding')).status).toBe(404);
  });
});

it('new contacts enter by the door that made them', async () => {
  const id = await edit.workflow();
  const sources = ['api', 'track', 'send', 'import', 'submission'];
  await patch(id, { triggerType: 'CONTACT', triggerConfig: { sources }, enabled: true });
  const email = { from: 'us@mail.test', subject: 'S', body: 'B' };
  await send('POST', '/v1/send', { ...email, to: 'send@people.test' });
  // Stored alone, because it has an attachment.
  await send('POST', '/v1/send', {
    ...{ ...email, to: 'attached@people.test' },
    attachments: [{ filename: 'a.txt', content: 'YQ==', contentType: 'text/plain' }],
  });
  await test.withKey(test.project.publicKey)('POST', '/v1/track', { email: 'track@people.test', event: 'e' });
  await send('POST', '/contacts', { email: 'api@people.test' });
  const entered = async () => {
    while ((await enterDueBatch(test.services, { projectId: test.project.id, workflowId: id })) > 0);
    const rows = await test.services.database.prisma.workflowExecution.findMany({
      where: { workflowId: id },
    });
    const contacts = await test.services.database.prisma.contact.findMany({
      where: { id: { in: rows.map(({ contactId }) => contactId) } },
    });
    const emails = new Map(contacts.map((each) => [each.id, each.email.split('@')[0]]));
    return rows
      .map(({ contactId, context }) => `${emails.get(contactId)}: ${(context as { source: string }).source}`)
      .sort();
  };
  expect(await entered()).toEqual(['api: api', 'attached: send', 'send: send', 'track: track']);
});

it('everybody of a segment enters by one request', async () => {
  const id = await edit.workflow();
  const { body: segment } = await send('POST', '/segments', { name: 'List', type: 'STATIC' });
  const enter = (body: object) => send('POST', `/workflows/${id}/entries`, body);
  expect((await enter({ segmentId: segment.id })).status).toBe(409);
  await patch(id, { enabled: true });
  const started = await enter({ segmentId: segment.id });
  expect([started.status, Object.keys(started.body)]).toEqual([202, ['jobId']]);
  const { status, body } = await send('GET', `/workflows/${id}/jobs/${started.body.jobId}`);
  expect([status, body]).toEqual([200, expect.objectContaining({ state: 'waiting', result: null })]);
  expect((await stranger('GET', `/workflows/${id}/jobs/${started.body.jobId}`)).status).toBe(404);
  const other = await edit.workflow();
  expect((await send('GET', `/workflows/${other}/jobs/${started.body.jobId}`)).status).toBe(404);
});
