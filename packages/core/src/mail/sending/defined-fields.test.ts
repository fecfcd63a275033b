import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineContactField } from '../../audience/contacts/index.ts';
import { trackEvent } from '../../audience/events/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { sendEmail } from './send-email.ts';

/** A definition must not break a program that sends or tracks (behaviour B2.1). */
let test: TestServices;
let project: TestProject;
let ctx: Context;

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  project = await createTestProject(test.services);
  ctx = { ...project.ctx, project: { ...project.project, definesFields: true } };
  await verifiedDomain(test.services, project.id, 'shop.test');
  for (const [field, type] of [
    ['age', 'NUMBER'],
    ['tags', 'LIST'],
    ['name', 'NUMBER'],
  ] as const)
    await defineContactField.run(project.ctx, { field, type });
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const dataOf = async (email: string) =>
  (await prisma().contact.findFirstOrThrow({ where: { projectId: project.id, email } })).data;
const warned = (...keys: string[]) => keys.map((key) => ({ field: `data.${key}`, code: 'invalid_type' }));

it('sending converts values, and uses those of another type for its email, with a warning', async () => {
  const send = (data: Record<string, unknown>, name?: string) =>
    sendEmail.run(ctx, {
      to: name === undefined ? 'ann@a.test' : { email: 'ann@a.test', name },
      from: 'team@shop.test',
      subject: 'S',
      body: 'B {{age}} {{tags}}',
      data,
    });
  expect(await send({ age: '30', tags: ['a'] })).not.toHaveProperty('warnings');
  const answer = await send({ age: 'old', tags: { add: ['b'] }, items: [{ n: 1 }] }, 'Ann');
  expect(answer.warnings).toEqual(warned('age'));
  expect(await dataOf('ann@a.test')).toEqual({ age: 30, tags: ['a', 'b'] });
  const email = await prisma().email.findUniqueOrThrow({ where: { id: answer.emails[0]?.email ?? '' } });
  expect(email.vars).toEqual({ name: 'Ann', age: 'old', tags: ['a', 'b'], items: [{ n: 1 }] });
});

it('tracking keeps every event with its data, and warns of each value that is not stored', async () => {
  const track = (n: number) =>
    trackEvent.run(
      { ...ctx, actor: project.publicCtx.actor },
      {
        email: `n${n % 20}@a.test`,
        event: 'visit',
        data: { age: 'x', tags: [1], plan: 'pro' },
      },
    );
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => track(n)));
  for (const { warnings } of answers) expect(warnings).toEqual(warned('age', 'tags'));
  const events = await prisma().event.findMany({ where: { projectId: project.id, name: 'visit' } });
  expect(events).toHaveLength(200);
  expect(events[0]?.data).toEqual({ age: 'x', tags: [1], plan: 'pro' });
  expect(await dataOf('n1@a.test')).toEqual({ plan: 'pro' });
});

it('changes of lists by requests that are stored together are all kept', async () => {
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      trackEvent.run(
        { ...ctx, actor: project.publicCtx.actor },
        { email: 'list@a.test', event: 'visit', data: { tags: { add: [`t${n}`] } } },
      ),
    ),
  );
  const { tags } = (await dataOf('list@a.test')) as { tags: string[] };
  expect(tags.toSorted()).toEqual(Array.from({ length: 60 }, (_, n) => `t${n}`).toSorted());
});

it('asks for no definitions where the project has none', async () => {
  const other = await createTestProject(test.services);
  const asked: string[] = [];
  const query = test.services.database.prisma.$queryRaw;
  Object.defineProperty(test.services.database.prisma, '$queryRaw', {
    configurable: true,
    value: (...args: Parameters<typeof query>) => {
      asked.push(String(args[0]));
      return query.apply(test.services.database.prisma, args);
    },
  });
  await trackEvent.run(other.publicCtx, { email: 'a@a.test', event: 'visit', data: { age: 'x' } });
  Reflect.deleteProperty(test.services.database.prisma, '$queryRaw');
  expect(asked.filter((text) => text.includes('FieldDefinition'))).toEqual([]);
});
