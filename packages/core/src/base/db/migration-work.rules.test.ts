import { expect, it } from 'vitest';
import { secondsFor, workOf } from './migration-work.rules.ts';
import { readMigrations } from './migrations.ts';

it.each([
  ['ALTER TABLE "A" ADD COLUMN "x" TEXT;', [{ table: 'A', lock: 'ACCESS EXCLUSIVE', work: 'none' }]],
  [
    'ALTER TABLE "A"\n  ALTER COLUMN "x" SET NOT NULL;',
    [{ table: 'A', lock: 'ACCESS EXCLUSIVE', work: 'read' }],
  ],
  [
    'CREATE INDEX CONCURRENTLY "i" ON "A" ("x");',
    [{ table: 'A', lock: 'SHARE UPDATE EXCLUSIVE', work: 'index' }],
  ],
  ['CREATE UNIQUE INDEX "i" ON "A" ("x");', [{ table: 'A', lock: 'SHARE', work: 'index' }]],
  [
    '-- ALTER TABLE "B" ADD x;\nUPDATE "A" SET "x" = 1;',
    [{ table: 'A', lock: 'ROW EXCLUSIVE', work: 'write' }],
  ],
  [
    'ALTER TABLE "A" ADD CONSTRAINT "c" FOREIGN KEY ("x") REFERENCES "B"("id") ON DELETE CASCADE;',
    [
      { table: 'A', lock: 'SHARE ROW EXCLUSIVE', work: 'read' },
      { table: 'B', lock: 'SHARE ROW EXCLUSIVE', work: 'none' },
    ],
  ],
  ['CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE "A" SET "x" = 1; $$;', []],
  ['CREATE TABLE "A" ("x" int); CREATE INDEX "i" ON "A" ("x"); INSERT INTO "A" VALUES (1);', []],
  [
    'ALTER TABLE "A" ADD COLUMN "x" int; UPDATE "A" SET "x" = 1;',
    [{ table: 'A', lock: 'ACCESS EXCLUSIVE', work: 'write' }],
  ],
])('%j locks and works on', (sql, expected) => {
  expect(workOf(sql)).toEqual(expected);
});

it('the text of every migration is understood: each that changes a table has a lock on it', async () => {
  for (const { name, sql } of await readMigrations())
    for (const [, table = ''] of sql.matchAll(/^ALTER TABLE (?:ONLY )?"(\w+)"/gm))
      if (!sql.includes(`CREATE TABLE "${table}"`))
        expect(
          workOf(sql).map((each) => each.table),
          name,
        ).toContain(table);
});

it('a rewrite takes longer than an index, and what reads no rows no time', () => {
  expect(secondsFor('write', 1_000_000)).toBeGreaterThan(secondsFor('index', 1_000_000));
  expect(secondsFor('none', 1_000_000)).toBe(0);
});
