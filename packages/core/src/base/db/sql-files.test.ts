import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readSqlFiles, statementsOf, withConstants } from './sql-files.ts';

describe('files of SQL', () => {
  it('their history ends with what they are now; otherwise run "npm run db:seal"', async () => {
    const { digest, history } = await readSqlFiles();
    expect(history.at(-1)).toBe(digest);
  });

  it('each function and trigger is in one of them', async () => {
    const { objects } = await readSqlFiles();
    expect(objects.length).toBeGreaterThan(50);
    expect(objects.find(({ name }) => name === 'claim_batches')).toMatchObject({
      kind: 'function',
      file: 'mail/ledger/claim-batches.sql',
    });
    expect(objects.find(({ name }) => name === 'Event_dispatch')).toMatchObject({
      kind: 'trigger',
      table: 'Event',
    });
  });

  it('extras.sql has none of them: a function there would belong to no store', async () => {
    const extras = await readFile(new URL('../../../prisma/extras.sql', import.meta.url), 'utf8');
    expect(extras).not.toMatch(/\b(FUNCTION|TRIGGER)\s+"?\w+"?\s*(\(|AFTER|BEFORE)/i);
  });

  it('constants of the product are placeholders, whose values TypeScript has', async () => {
    const { objects } = await readSqlFiles();
    const found: string[] = [];
    for (const file of new Set(objects.map((object) => object.file))) {
      const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
      for (const line of text.replaceAll(/--.*/g, '').split('\n'))
        for (const [number] of line.matchAll(/(?<![\w.])\d{4,}(?![\w.])/g))
          if (!isUnit(number)) found.push(`${file}: ${line.trim()}`);
    }
    expect(found).toEqual([]);
  });
});

/** Milliseconds of a second. */
const isUnit = (number: string): boolean => number === '1000';

describe('statements of a file', () => {
  it('end with the line that closes the body of a function', () => {
    const text = [
      '-- about a',
      'CREATE FUNCTION a() RETURNS void LANGUAGE plpgsql AS $$',
      'BEGIN',
      '  PERFORM 1;',
      '  EXECUTE $x$ SELECT 1; $x$;',
      'END $$;',
      '',
      'CREATE TRIGGER "T" AFTER INSERT ON "A"',
      '  FOR EACH STATEMENT EXECUTE FUNCTION a();',
    ];
    expect(statementsOf(text.join('\n'))).toEqual([text.slice(1, 6).join('\n'), text.slice(7).join('\n')]);
  });

  it('have to end', () => {
    expect(() => statementsOf('CREATE FUNCTION a() RETURNS void LANGUAGE sql AS $$\nSELECT 1;\n')).toThrow(
      'a statement does not end',
    );
  });
});

describe('constants of a file', () => {
  it('are numbers, texts and lists', () => {
    const text = 'SELECT {{number}}, {{text}}, {{list}}::int[]';
    expect(withConstants(text, 'x.sql', { number: 5, text: "it's", list: [1, 2] })).toBe(
      "SELECT 5, 'it''s', '{1,2}'::int[]",
    );
  });

  it('are all used, and all there', () => {
    expect(() => withConstants('SELECT {{a}}', 'x.sql', {})).toThrow('x.sql: {{a}} has no value');
    expect(() => withConstants('SELECT 1', 'x.sql', { a: 1 })).toThrow('x.sql does not use a');
  });
});
