import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  waitingMail,
} from '../../testing/index.ts';
import { createDatabaseOnOwnServer, type OwnServerDatabase } from '../../testing/test-database.ts';
import { encodeLink } from '../message/index.ts';
import { judgeClicks } from './click-judge.ts';
import { recordClick } from './record-click.ts';
import { countUnstoredInteractions, interactionsStored } from './record-interaction.ts';
import { recordOpen } from './record-open.ts';

const reader = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0';

let database: OwnServerDatabase;
let test: TestServices;

beforeAll(async () => {
  database = await createDatabaseOnOwnServer();
  test = await createTestServices({ postgres: database });
});
afterAll(async () => {
  await test.close();
  await database.drop();
});

it('while the database is away, known links redirect, and every open and click is stored after its return, once', async () => {
  const { services } = test;
  const project = await createTestProject(services);
  const anyone = { ...project.ctx, actor: { type: 'anonymous' }, project: null } as const;
  const body = '<p>{{name}} <a href="https://shop.test/">Shop</a></p>';
  const emails = await waitingMail(services, project.id, { count: 30, body });
  await services.database.prisma.email.updateMany({ data: { status: 'SENT', sentAt: new Date() } });
  const visit = (token: string, method: 'GET' | 'HEAD' = 'GET') => ({ token, method, userAgent: reader });
  const fixedLink = ({ id: emailId }: { id: string }): string =>
    encodeLink(services.secrets, { kind: 'click', emailId, target: { linkId: 0 } });
  const follow = (email: { id: string }, method?: 'GET' | 'HEAD') =>
    recordClick.run(anyone, visit(fixedLink(email), method));

  const [unknown, ...known] = emails;
  if (!unknown) throw new Error('no email was made');
  for (const email of known) await follow(email, 'HEAD');

  // Some are in a statement when the server is killed, so their outcome is unknown.
  const before = known.map((email) => follow(email));
  await Promise.all([database.server.kill(), ...before]);
  for (const email of known) expect(await follow(email)).toEqual({ url: 'https://shop.test/' });
  for (const { id: emailId } of emails) {
    const token = encodeLink(services.secrets, { kind: 'open', emailId });
    expect(await recordOpen.run(anyone, visit(token))).toEqual({ valid: true });
  }
  const rendered = encodeLink(services.secrets, {
    kind: 'click',
    emailId: unknown.id,
    target: { url: 'https://shop.test/own' },
  });
  expect(await recordClick.run(anyone, visit(rendered))).toEqual({ url: 'https://shop.test/own' });
  await expect(follow(unknown)).rejects.toThrow();
  expect(countUnstoredInteractions(services)).toBeGreaterThanOrEqual(known.length + emails.length + 1);

  await database.server.start();
  await interactionsStored(services);
  expect(countUnstoredInteractions(services)).toBe(0);
  await judgeClicks(services, { waitMs: 0 });
  // A connection of another pool may still be a broken one.
  const rows = await vi.waitFor(() => services.database.prisma.email.findMany({ orderBy: { id: 'asc' } }), {
    timeout: 45_000,
  });
  expect(rows.map(({ id, opens, clicks }) => [id, opens, clicks])).toEqual(
    emails.map(({ id }) => [id, 1, id === unknown.id ? 1 : 2]).toSorted(),
  );
  expect(await services.database.prisma.event.count({ where: { name: 'email.click' } })).toBe(
    known.length * 2 + 1,
  );
  expect(await services.database.prisma.event.count({ where: { name: 'email.open' } })).toBe(emails.length);
}, 180_000);
