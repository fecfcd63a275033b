import { removeBatch } from '@postrider/core/insight/removal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reader, sentMail } from '../src/public/public.fixture.ts';
import { codeOf, startApp, type TestApp } from './harness.ts';

/** Reset and deletion of a project, as its users and readers see it (behaviour B4.17). */
let test: TestApp;
beforeAll(async () => {
  test = await startApp();
  // Without a Temporal server a signal ends only after its connection timed out.
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
});
afterAll(() => test.close());

it('202 for a reset, 204 for a deletion; then no key, member or link reaches the project', async () => {
  const { id, secretKey, publicKey } = test.project;
  const path = `/users/@me/projects/${id}`;
  const mail = await sentMail(test);
  const [key, owner, member] = [
    test.withKey(secretKey),
    await test.withSession(),
    await test.withSession('MEMBER'),
  ];
  expect((await member('POST', `${path}/reset`)).status).toBe(403);
  expect((await member('DELETE', path)).status).toBe(403);
  expect(codeOf(await key('DELETE', path))).toBe('UNAUTHORIZED');
  expect((await key('GET', '/contacts')).body.total).toBe(1);
  expect((await test.anyone('GET', mail.pages)).status).toBe(200);
  const link = mail.clickPath('https://shop.example.com/');
  expect((await test.anyone('GET', link, undefined, reader)).status).toBe(302);

  const reset = await owner('POST', `${path}/reset`);
  expect([reset.status, reset.body]).toEqual([202, { message: expect.any(String) }]);
  while (await removeBatch(test.services, id));
  expect((await key('GET', '/contacts')).body.total).toBe(0);
  expect((await owner('GET', path)).status).toBe(200);

  const later = await sentMail(test);
  const deleted = await owner('DELETE', path);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect(codeOf(await key('GET', '/contacts'))).toBe('INVALID_API_KEY');
  const track = { email: 'a@people.test', event: 'x' };
  expect(codeOf(await test.withKey(publicKey)('POST', '/v1/track', track))).toBe('INVALID_API_KEY');
  for (const answer of [
    await owner('GET', path),
    await owner('GET', '/contacts'),
    await member('GET', '/contacts'),
    await owner('DELETE', path),
    await owner('POST', `${path}/reset`),
  ]) {
    expect([answer.status, codeOf(answer)]).toEqual([403, 'PROJECT_ACCESS_DENIED']);
  }
  expect((await owner('GET', '/users/@me/projects')).body).toEqual([]);
  expect((await test.anyone('GET', later.pages)).status).toBe(404);
  const click = async () =>
    (await test.anyone('GET', later.clickPath('https://shop.example.com/'), undefined, reader)).status;
  await expect.poll(click).toBe(404);
  while (await removeBatch(test.services, id));
  // The list of deleted projects is read again.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await click()).toBe(404);
});
