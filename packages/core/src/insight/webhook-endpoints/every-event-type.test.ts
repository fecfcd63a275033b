import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { constant, Prisma } from '../../base/db/index.ts';
import {
  type EventTypeName,
  eventRow,
  eventTypes,
  feedTypeOf,
  insertEvents,
  insertReports,
  isReservedEvent,
  type ReportType,
  storedWithName,
} from '../../base/event-types/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { listActivity } from '../activity/index.ts';
import { isEventType } from './event-types.rules.ts';
import { createEndpoint, listWebhookDeliveries } from './index.ts';
import { webhookEvent } from './webhook-events.schema.ts';

let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const names = Object.keys(eventTypes) as EventTypeName[];
const concrete = (name: EventTypeName): string => name.replace('*', 'trial-users');

/** A value for each field of the data of a type. */
function sampleOf(name: EventTypeName): Record<string, unknown> {
  const schema: z.ZodObject = eventTypes[name].data;
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([key, field]) => {
      const value = [
        true,
        1,
        '2026-03-01T09:30:00.000Z',
        'SENT',
        'CAMPAIGN',
        'Permanent',
        'NEW',
        'errors',
        null,
        ['product_news'],
      ].find((each) => (field as z.ZodType).safeParse(each).success);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Stores an event as its writers do. */
async function emit(project: TestProject, name: EventTypeName): Promise<void> {
  const { prisma } = test.services.database;
  const { kind } = eventTypes[name];
  const data = JSON.stringify(sampleOf(name));
  if (kind === 'REPORT') {
    const row = Prisma.sql`SELECT ${project.id}::uuid AS "projectId", NULL::uuid AS "copyId", NULL::uuid AS "contactId", ${data}::jsonb AS "data"`;
    await prisma.$executeRaw(insertReports(name as ReportType, row));
    return;
  }
  const stored = storedWithName('SYSTEM', Prisma.sql`${concrete(name)}::text`);
  await prisma.$executeRaw`${insertEvents} ${eventRow({
    ...stored,
    kind: constant(`'${kind}'::"EventKind"`),
    projectId: Prisma.sql`${project.id}::uuid`,
    data: Prisma.sql`${data}::jsonb`,
    contactId: Prisma.sql`NULL::uuid`,
  })}`;
}

const emitted = names.filter((name) => !['UPCOMING', 'RESERVED'].includes(eventTypes[name].kind));

describe('every type of event', () => {
  it.each(emitted)('%s reaches the activity feed and endpoints as its definition says', async (name) => {
    const { kind, webhook, ...rest } = eventTypes[name];
    const project = await createTestProject(test.services);
    const { id } = await createEndpoint.run(project.ctx, { url: 'https://hooks.example.com/all' });
    const one = webhook
      ? await createEndpoint.run(project.ctx, {
          url: 'https://hooks.example.com/one',
          types: [concrete(name)],
        })
      : null;
    await emit(project, name);

    const { data: feed } = await listActivity.run(project.ctx, {});
    const own = 'feed' in rest ? feedTypeOf({ kind, name }) : 'event.triggered';
    expect(feed.map(({ type }) => type)).toEqual(kind === 'REPORT' ? [] : [own]);

    const { data: all } = await listWebhookDeliveries.run(project.ctx, { id, limit: 10 });
    const expected = webhook ? [{ type: concrete(name), data: { ...sampleOf(name), contact: null } }] : [];
    expect(all.map(({ payload }) => payload)).toMatchObject(expected);
    expect(all).toHaveLength(expected.length);
    // What is sent has exactly the fields that the API document gives this kind.
    for (const { payload } of all) expect(webhookEvent.parse(payload)).toEqual(payload);
    if (!one) return;
    const { data: ofOne } = await listWebhookDeliveries.run(project.ctx, { id: one.id, limit: 10 });
    expect(ofOne.map(({ type }) => type)).toEqual([concrete(name)]);
  });

  it.each(names)('%s is a type that an endpoint may ask for exactly if it is reported', (name) => {
    expect(isEventType(concrete(name))).toBe(eventTypes[name].webhook);
  });

  it.each(names)('%s is reserved if it has effects, or is about an email', (name) => {
    expect(isReservedEvent(concrete(name))).toBe(
      eventTypes[name].kind === 'SYSTEM' || name.startsWith('email.'),
    );
  });
});
