import fc from '@postrider/vitest/fast-check.ts';
import { expect, test } from 'vitest';
import { bounceAddress, readBounceAddress } from './return-path.ts';

test('a return-path contains its email id and fits into the limits of an address', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const address = bounceAddress(id, 'shop.example');
      expect(address).toMatch(/^b-[a-z2-7]{26}@bounces\.shop\.example$/);
      expect(readBounceAddress(address)).toEqual({ emailId: id, domain: 'shop.example' });
      expect(readBounceAddress(address.toUpperCase())).toEqual({ emailId: id, domain: 'shop.example' });
    }),
  );
});

test('RFC 4648 base32', () => {
  expect(bounceAddress('00000000-0000-0000-0000-000000000000', 'a.example')).toBe(
    `b-${'a'.repeat(26)}@bounces.a.example`,
  );
  expect(bounceAddress('ffffffff-ffff-ffff-ffff-ffffffffffff', 'a.example')).toBe(
    `b-${'7'.repeat(25)}4@bounces.a.example`,
  );
});

test.each([
  '',
  'kim@example.org',
  'b-abc@bounces.x.example',
  `b-${'7'.repeat(26)}@bounces.x.example`,
  `b-${'a'.repeat(26)}@x.example`,
])('%j is none', (address) => {
  expect(readBounceAddress(address)).toBeNull();
});

test('other ids are refused', () => {
  expect(() => bounceAddress('x', 'a.example')).toThrow(TypeError);
});
