import { scryptSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkPassword, hashPassword } from './password.ts';

/** A hash as older versions stored it. */
function scryptHash(password: string): string {
  const salt = Buffer.alloc(16, 7);
  const hash = scryptSync(password, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
  return ['scrypt', 15, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

it('stores Argon2id hashes with the parameters OWASP recommends, each with its own salt', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(other);
  expect(await checkPassword('correct horse', one)).toEqual({ passed: true, outdated: false });
  expect(await checkPassword('correct horsf', one)).toEqual({ passed: false });
});

it('accepts a hash of the reference implementation of Argon2, and reports its other parameters as outdated', async () => {
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await checkPassword('password', stored)).toEqual({ passed: true, outdated: true });
});

it('still accepts scrypt hashes of older versions, and reports them as outdated', async () => {
  const stored = scryptHash('correct horse');
  expect(await checkPassword('correct horse', stored)).toEqual({ passed: true, outdated: true });
  expect(await checkPassword('wrong', stored)).toEqual({ passed: false });
});

it('accepts no password for an account without one', async () => {
  expect(await checkPassword('', null)).toEqual({ passed: false });
  expect(await checkPassword('', '')).toEqual({ passed: false });
});
