import { expect, it } from 'vitest';
import { assertFollowable, nameOfSequel, type SequelKind, sequels } from './sequels.rules.ts';

it('a sequel has the name of the campaign with its number, within the limit', () => {
  expect(nameOfSequel('Spring', 2, false, 200)).toBe('Spring (2)');
  expect(nameOfSequel('Spring (2)', 3, true, 200)).toBe('Spring (3)');
  expect(nameOfSequel('Sale (50)', 2, false, 200)).toBe('Sale (50) (2)');
  expect(nameOfSequel('x'.repeat(200), 2, false, 200)).toBe(`${'x'.repeat(196)} (2)`);
  expect(nameOfSequel(`${'x'.repeat(195)}😀`, 2, false, 200)).toBe(`${'x'.repeat(195)} (2)`);
});

it('a sequel follows a campaign that has ended, and REST one that was cancelled', () => {
  for (const kind of Object.keys(sequels) as SequelKind[]) {
    for (const status of ['DRAFT', 'SCHEDULED', 'SENDING'] as const)
      expect(() => assertFollowable(kind, status)).toThrow(status);
    expect(() => assertFollowable(kind, 'CANCELLED')).not.toThrow();
  }
  expect(() => assertFollowable('NEW', 'SENT')).not.toThrow();
  expect(() => assertFollowable('REST', 'SENT')).toThrow('A campaign that is SENT cannot have a sequel REST');
});
