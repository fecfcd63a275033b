import fc from '@postrider/vitest/fast-check.ts';
import { expect, test } from 'vitest';
import { createSecrets } from '../../base/kernel/secrets.ts';
import { bounceAddress, proofOf, readBounceAddress } from './return-path.ts';

const former = 'the-secret-of-before-with-32-characters';
const before = createSecrets(former);
const secrets = createSecrets('the-secret-of-now-with-32-characters.', [former]);

const addressOf = (emailId: string, domain: string, by = secrets): string =>
  bounceAddress({ emailId, domain }, proofOf(by, { emailId, domain }));

test('a return-path names its email, has a proof, and fits into the limits of an address', () => {
  fc.assert(
    fc.property(fc.uuid(), (emailId) => {
      const address = addressOf(emailId, 'shop.example');
      expect(address).toMatch(/^b-[a-z2-7]{26}-[a-z2-7]{10}@bounces\.shop\.example$/);
      for (const written of [address, address.toUpperCase(), ` ${address} `])
        expect(readBounceAddress(secrets, written)).toEqual({ emailId, domain: 'shop.example' });
      expect(readBounceAddress(createSecrets('x'.repeat(40)), address)).toBeNull();
    }),
  );
});

test('of a former secret it is still read', () => {
  const emailId = '01900000-0000-7000-8000-000000000001';
  const address = addressOf(emailId, 'shop.example', before);
  expect(address).not.toBe(addressOf(emailId, 'shop.example'));
  expect(readBounceAddress(secrets, address)).toEqual({ emailId, domain: 'shop.example' });
});

test('of a domain with letters beyond ASCII it is written in ASCII', () => {
  const emailId = '01900000-0000-7000-8000-000000000001';
  const address = addressOf(emailId, 'müller.example');
  expect(address).toMatch(/@bounces\.xn--mller-kva\.example$/);
  expect(readBounceAddress(secrets, address)?.emailId).toBe(emailId);
});

test('every change of a character leads nowhere, and so does a proof of another email or domain', () => {
  const emailId = '01900000-0000-7000-8000-000000000001';
  const address = addressOf(emailId, 'shop.example');
  const at = address.indexOf('@');
  for (let index = 2; index < at; index += 1) {
    const other = address[index] === 'a' ? 'b' : 'a';
    if (address[index] === '-') continue;
    expect(readBounceAddress(secrets, address.slice(0, index) + other + address.slice(index + 1))).toBeNull();
  }
  expect(readBounceAddress(secrets, address.replace('shop.', 'shap.'))).toBeNull();
  const foreign = proofOf(secrets, {
    emailId: '01900000-0000-7000-8000-000000000002',
    domain: 'shop.example',
  });
  expect(readBounceAddress(secrets, bounceAddress({ emailId, domain: 'shop.example' }, foreign))).toBeNull();
});

test('RFC 4648 base32', () => {
  const idOf = (emailId: string) =>
    bounceAddress({ emailId, domain: 'a.example' }, 'aaaaaaaaaa').slice(2, 28);
  expect(idOf('00000000-0000-0000-0000-000000000000')).toBe('a'.repeat(26));
  expect(idOf('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe(`${'7'.repeat(25)}4`);
});

test.each([
  '',
  'kim@example.org',
  'b-abc@bounces.x.example',
  'b-abc-def@bounces.x.example',
  `b-${'7'.repeat(26)}-${'a'.repeat(10)}@bounces.x.example`,
  `b-${'a'.repeat(26)}-${'a'.repeat(10)}@x.example`,
  `b-${'a'.repeat(26)}-${'a'.repeat(10)}@bounces.`,
  // the form of earlier versions
  `b-${'a'.repeat(26)}@bounces.x.example`,
])('%j is none', (address) => {
  expect(readBounceAddress(secrets, address)).toBeNull();
});

test('other ids are refused', () => {
  expect(() => bounceAddress({ emailId: 'x', domain: 'a.example' }, 'aaaaaaaaaa')).toThrow(TypeError);
});
