import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTestServices, createTestUser, type TestServices } from '../../testing/index.ts';
import { login, signup } from './index.ts';

/** The hashes that are computed, by their kind: they are nearly all of the time of a login. */
const computed: string[] = [];
const kinds = ['ARGON2REQUEST', 'SCRYPTREQUEST'];
const watch = createHook({
  init(_id, type) {
    if (kinds.includes(type)) computed.push(type);
  },
});

let test: TestServices;
let context: Context;
beforeAll(async () => {
  test = await createTestServices();
  context = {
    services: test.services,
    actor: { type: 'anonymous' },
    project: null,
    request: { id: newId(), ip: null },
    db: test.services.database.prisma,
  };
});
afterAll(() => test.close());

it('a refused login computes the same hashes for an unknown address, a wrong password and an account without one', async () => {
  const known = `${newId()}@people.test`;
  await signup.run(context, { email: known, password: 'correct horse' });
  const withoutPassword = `${newId()}@people.test`;
  await createTestUser(test.services, withoutPassword);

  const costs: string[][] = [];
  watch.enable();
  for (const email of [known, `${newId()}@people.test`, withoutPassword]) {
    computed.length = 0;
    const attempt = login.run(context, { email, password: 'wrong' });
    await expect(attempt).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    costs.push([...computed]);
  }

  watch.disable();

  expect(costs).toEqual([kinds, kinds, kinds]);
});
