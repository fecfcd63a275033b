import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { type Spellings, spellingsOf } from './spellings.rules.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

type Pattern = 'inText' | 'inJson' | 'inBytes';

async function isFound(text: string, spellings: Spellings, pattern: Pattern): Promise<boolean> {
  const { rows } = await test.services.database.durable.query<{ found: boolean }>(
    'SELECT lower($1) LIKE ANY($2::text[]) AND $1 ~* $3 AS "found"',
    [text, spellings.likes, spellings[pattern]],
  );
  return rows[0]?.found ?? false;
}

const jane = spellingsOf('jane.doe+x@example.com');

it.each([
  'jane.doe+x@example.com',
  'Mail JANE.Doe+X@Example.com.',
  '<jane.doe+x@example.com>',
  'https://shop.test/?email=jane.doe%2Bx%40example.com&a=1',
  'https://shop.test/?email=jane.doe+x%40example.com',
  "'jane.doe+x@example.com'",
])('finds an address in %s', async (text) => {
  expect(await isFound(text, jane, 'inText')).toBe(true);
});

it.each([
  'mary-jane.doe+x@example.com',
  'jane.doe+x@example.com.au',
  'jane.doe+x@example.community',
  'janeXdoe+x@example.com',
  'jane.doe@example.com',
])('does not take %s for it', async (text) => {
  expect(await isFound(text, jane, 'inText')).toBe(false);
});

it('finds an address at the beginning of a line in JSON', async () => {
  const text = JSON.stringify({ note: 'Hello\njane.doe+x@example.com' });
  expect(await isFound(text, jane, 'inText')).toBe(false);
  expect(await isFound(text, jane, 'inJson')).toBe(true);
});

it.each(['latin1', 'utf16le'] as const)('finds an address in a file of the encoding %s', async (encoding) => {
  const bytes = Buffer.from('email,name\r\nJane.doe+x@example.com,J\u00e4ne\r\n', encoding);
  const { rows } = await test.services.database.durable.query<{ text: string }>(
    `SELECT encode($1::bytea, 'escape') AS "text"`,
    [bytes],
  );
  expect(await isFound(rows[0]?.text ?? '', jane, 'inBytes')).toBe(true);
});

it('finds an address with letters of other languages, as earlier versions stored it too', async () => {
  const spellings = spellingsOf('j\u00f6rg@xn--mller-kva.example');
  expect(await isFound('an J\u00f6rg@m\u00fcller.example', spellings, 'inText')).toBe(true);
  expect(await isFound('an j\u00f6rg@xn--mller-kva.example', spellings, 'inText')).toBe(true);
});
