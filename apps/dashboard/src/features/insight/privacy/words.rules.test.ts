import { expect, it } from 'vitest';
import { recordName, shortHash } from './words.rules.ts';

it('names what a receipt lists, and leaves what it does not know as it is', () => {
  expect(recordName('webhookDeliveries')).toBe('Webhook deliveries');
  expect(recordName('somethingNew')).toBe('somethingNew');
});

it('shortens a hash', () => {
  expect(shortHash('8c6976e5b5410415bde908bd4dee15df')).toBe('8c6976e5');
});
