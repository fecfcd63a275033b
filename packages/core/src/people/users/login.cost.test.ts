import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTestServices, createTestUser, type TestServices } from '../../testing/index.ts';
import { login, signup } from './index.ts';

/** The hashes that were computed, with their costs: they are nearly all of the time of a login. */
const computed = vi.hoisted((): unknown[] => []);
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>();
  const argon2 = (...[algorithm, parameters, callback]: Parameters<typeof crypto.argon2>) => {
    const { memory, passes, parallelism, tagLength } = parameters;
    computed.push({ algorithm, memory, passes, parallelism, tagLength });
    return crypto.argon2(algorithm, parameters, callback);
  };
  const scrypt = (
    password: string,
    salt: Buffer,
    length: number,
    { N, r, p, maxmem }: import('node:crypto').ScryptOptions,
    callback: (error: Error | null, hash: Buffer) => void,
  ) => {
    computed.push({ algorithm: 'scrypt', length, N, r, p });
    return crypto.scrypt(password, salt, length, { N, r, p, maxmem }, callback);
  };
  return { ...crypto, argon2, scrypt };
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
beforeEach(() => {
  computed.length = 0;
});

it('a refused login computes the same hashes for an unknown address, a wrong password and an account without one', async () => {
  const known = `${newId()}@people.test`;
  await signup.run(context, { email: known, password: 'correct horse' });
  const withoutPassword = `${newId()}@people.test`;
  await createTestUser(test.services, withoutPassword);

  const costs: unknown[][] = [];
  for (const email of [known, `${newId()}@people.test`, withoutPassword]) {
    computed.length = 0;
    const attempt = login.run(context, { email, password: 'wrong' });
    await expect(attempt).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    costs.push([...computed]);
  }

  const [ofKnown, ofUnknown, ofWithoutPassword] = costs;
  expect(ofKnown).toMatchObject([
    { algorithm: 'argon2id', memory: 19_456 },
    { algorithm: 'scrypt', N: 2 ** 15 },
  ]);
  expect(ofUnknown).toEqual(ofKnown);
  expect(ofWithoutPassword).toEqual(ofKnown);
});
