import { expect, it } from 'vitest';
import { defaultTargets, preview, readHead, samplesOf } from './csv-head.rules.ts';

const head = (text: string, isWhole = true) => {
  const read = readHead(text, isWhole);
  if (!read) throw new Error('the file has a header');
  return read;
};

it('the head of a file is read as the import reads it: separators, quotes, line ends, and no row that is cut off', () => {
  expect(head('\uFEFFE-mail;"Full ""name"""\r\n\r\nann@a.test;"Lee;\nAnn"\r\n').rows).toEqual([
    ['E-mail', 'Full "name"'],
    ['ann@a.test', 'Lee;\nAnn'],
  ]);
  expect(head('email\na@a.test\nb@a', false).rows).toEqual([['email'], ['a@a.test']]);
  expect(head('email\na@a.test\nb@a').rows).toHaveLength(3);
  expect(readHead('', true)).toBeNull();
});

it.each(['email', 'EMAIL', 'E-Mail', 'mail', 'Email address', 'e-mail-address'])(
  'a column %s is taken for the address',
  (header) => {
    expect(defaultTargets(['plan', header])).toEqual({ plan: 'data.plan', [header]: 'email' });
  },
);

it('only one column is taken for the address, and columns that cannot be set are skipped', () => {
  expect(defaultTargets(['mail', 'email', 'id', 'createdAt'])).toEqual({
    mail: 'data.mail',
    email: 'email',
    id: null,
    createdAt: null,
  });
});

it('the preview has contacts as they would be stored, and the reason of rows that fail', () => {
  const file = head('mail,seats,vip,note\nANN@a.test,3,TRUE,x\nnonsense,,,\n');
  const mapping = { mail: 'email', seats: 'data.size', note: null };
  expect(preview(file, mapping)).toEqual([
    { ok: true, email: 'ann@a.test', data: { size: 3, vip: true } },
    { ok: false, email: 'nonsense', error: 'Invalid email address' },
  ]);
  expect(preview(file, {})).toBeNull();
  expect(samplesOf(file, 'seats')).toBe('3');
});
