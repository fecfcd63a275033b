import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Breath, newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { deleteContact } from '../delete-contact.ts';
import { defineContactField } from '../fields/define-field.ts';
import { getContactImport } from '../jobs/get-job.ts';
import { readImportFile, storeImportFile } from '../jobs/jobs.store.ts';
import { sweepJobs } from '../jobs/jobs.ts';
import { upsertContact } from '../upsert-contact.ts';
import { stringify } from './csv.fixture.ts';
import { openFailedRows } from './open-failed-rows.ts';
import { openCsv, UnreadableCsv } from './read-csv.ts';
import { runImport } from './run-import.ts';
import { startContactImport } from './start-import.ts';
import { surveyFile } from './survey.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

async function importFile(csv: string | Buffer, subscribed?: unknown) {
  const { jobId } = await startContactImport.runRaw(project.ctx, { csv: Buffer.from(csv), subscribed });
  await runImport(test.services, jobId, () => undefined);
  return getContactImport.run(project.ctx, { jobId });
}
const contacts = async () => {
  const rows = await test.services.database.prisma.contact.findMany({
    where: { projectId: project.id },
    orderBy: { email: 'asc' },
  });
  return Object.fromEntries(rows.map(({ email, data }) => [email, data]));
};

describe('an import', () => {
  it('stores what the fields of the project are defined as, whatever the mapping reads', async () => {
    for (const [field, type] of [
      ['data.tags', 'LIST'],
      ['data.zip', 'TEXT'],
      ['data.since', 'DATE'],
    ] as const)
      await defineContactField.run(project.ctx, { field, type });
    const csv = Buffer.from(
      'email,tags,zip,since\nann@a.test,"vip, ""a, b""",01234,2026-11-20\nbob@a.test,x,5,soon\n',
    );
    const mapping = { zip: { to: 'data.zip', type: 'NUMBER' } };
    const { jobId } = await startContactImport.runRaw(project.ctx, { csv, mapping: JSON.stringify(mapping) });
    await runImport(test.services, jobId, () => undefined);
    expect(await contacts()).toEqual({
      'ann@a.test': { tags: ['vip', 'a, b'], zip: '1234', since: '2026-11-20' },
      'bob@a.test': { tags: ['x'], zip: '5' },
    });
    expect(await getContactImport.run(project.ctx, { jobId })).toMatchObject({ result: { unreadCount: 1 } });
  });

  it('lists a column that no contact can have among the skipped ones', async () => {
    const job = await importFile('email,__proto__,constructor\nann@a.test,a,b\n');
    expect(await contacts()).toEqual({ 'ann@a.test': { constructor: 'b' } });
    expect(job).toMatchObject({ result: { skippedColumns: ['__proto__'] } });
    const mapping = JSON.stringify({ a: 'data.__proto__' });
    await expect(
      startContactImport.runRaw(project.ctx, { csv: Buffer.from('email,a\n'), mapping }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(
      defineContactField.run(project.ctx, { field: 'data.__proto__', type: 'LIST' }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('takes the address of a mailbox, and refuses a cell with two', async () => {
    const job = await importFile('email\nAnn Lee <Ann@A.test>\nmailto:bob@a.test\n"a@a.test, b@a.test"\n');
    expect(Object.keys(await contacts())).toEqual(['ann@a.test', 'bob@a.test']);
    expect(job).toMatchObject({
      result: { failureCount: 1, errors: [{ row: 3, error: 'Contains more than one address' }] },
    });
  });

  it('creates and updates, parses values, ignores other columns, and lists failed rows', async () => {
    const old = await upsertContact.run(project.ctx, {
      email: 'old@a.test',
      subscribed: false,
      data: { a: 1, keep: 'x' },
    });
    const job = await importFile(
      '\uFEFFname; Email ;subscribed;seats;vip;zip;Empty\r\n' +
        '"Ann; ""A""\nLee";ANN@a.test;false;3.5;TRUE;01234;\r\n' +
        ';nonsense;;;;;\r\n' +
        'Old;old@a.test;true;12;;;\r\n' +
        'Late;ann@a.test;;;;;x\r\n',
    );
    expect(job).toMatchObject({
      state: 'completed',
      progress: 100,
      result: {
        totalRows: 4,
        successCount: 3,
        createdCount: 1,
        updatedCount: 2,
        failureCount: 1,
        errors: [{ row: 2, email: 'nonsense', error: 'Invalid email address' }],
      },
    });
    expect(await contacts()).toEqual({
      'ann@a.test': { name: 'Late', seats: 3.5, vip: true, zip: '01234', Empty: 'x' },
      'old@a.test': { a: 1, keep: 'x', name: 'Old', seats: 12 },
    });
    const { prisma } = test.services.database;
    expect(await prisma.contact.findUnique({ where: { id: old.id } })).toMatchObject({ subscribed: false });
    expect(await prisma.event.count({ where: { projectId: project.id } })).toBe(0);
    expect(await prisma.jobFile.count()).toBe(0);
  });

  it('keeps the rows that failed as CSV, with the columns of the file and the reason', async () => {
    const { jobId } = await startContactImport.runRaw(project.ctx, {
      csv: 'name;Email;note\n"A; B";nonsense;-5\n=1+2;ok@a.test;\nlee;also bad;=1+2\nshort\nlong;bad;x;+more\n',
    });
    await expect(openFailedRows(project.ctx, jobId)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    await runImport(test.services, jobId);
    const { name, chunks } = await openFailedRows(project.ctx, jobId);
    expect(name).toMatch(/^failed-rows-\d{4}-\d\d-\d\d\.csv$/);
    expect((await buffer(Readable.from(chunks))).toString().split('\r\n')).toEqual([
      '\uFEFFname,Email,note,,Import error',
      'A; B,nonsense,-5,,Invalid email address',
      `lee,also bad,'=1+2,,Invalid email address`,
      'short,,,,Email is missing',
      `long,bad,x,'+more,"4 cells, but the header has 3"`,
      '',
    ]);
    const other = await createTestProject(test.services);
    await expect(openFailedRows(other.ctx, jobId)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    await expect(openFailedRows(project.publicCtx, jobId)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  it('keeps every failed row of a large file once, although it is interrupted', async () => {
    const rows = Array.from({ length: 12_000 }, (_, n) => (n % 2 === 0 ? `bad ${n}` : `p${n}@a.test`));
    const { jobId } = await startContactImport.runRaw(project.ctx, { csv: ['email', ...rows].join('\n') });
    let batches = 0;
    const stop = () => {
      batches += 1;
      if (batches === 3) throw new Error('the worker ended');
    };
    await expect(runImport(test.services, jobId, stop)).rejects.toThrow('the worker ended');
    await runImport(test.services, jobId);
    const { chunks } = await openFailedRows(project.ctx, jobId);
    const lines = (await buffer(Readable.from(chunks))).toString().trimEnd().split('\r\n');
    expect(lines[0]).toBe('\uFEFFemail,Import error');
    const failed = rows.filter((row) => row.startsWith('bad'));
    expect(lines.slice(1)).toEqual(failed.map((row) => `${row},Invalid email address`));
  });

  it('takes its columns from a mapping, and leaves the others as they are', async () => {
    const mapping = JSON.stringify({ 'E-mail': 'email', 'Plan name': 'data.plan', Notes: null });
    const { jobId } = await startContactImport.runRaw(project.ctx, {
      csv: 'E-mail,Plan name,Notes,seats\nann@a.test,pro,secret,3\n',
      mapping,
    });
    await runImport(test.services, jobId);
    expect(await contacts()).toEqual({ 'ann@a.test': { plan: 'pro', seats: 3 } });
  });

  it('fails for a mapping of a column that the file does not have', async () => {
    const { jobId } = await startContactImport.runRaw(project.ctx, {
      csv: 'email,plan\nann@a.test,pro\n',
      mapping: '{"Plan":"data.plan"}',
    });
    await runImport(test.services, jobId);
    expect(await getContactImport.run(project.ctx, { jobId })).toMatchObject({
      state: 'failed',
      failedReason: 'The header has no column "Plan", which the mapping names',
    });
    expect(await contacts()).toEqual({});
  });

  it.each([
    ['not JSON', 'mapping'],
    ['[]', 'mapping'],
    ['{"a":"plan"}', 'mapping.a'],
    ['{"a":"data.email"}', 'mapping.a'],
    ['{"a":"email","b":"email"}', 'mapping'],
  ])('refuses the mapping %s', async (mapping, field) => {
    await expect(startContactImport.runRaw(project.ctx, { csv: 'a,b\n', mapping })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field }],
    });
  });

  it('gives new contacts the requested subscription, except for opt-outs', async () => {
    const left = await upsertContact.run(project.ctx, { email: 'left@a.test', subscribed: false });
    await deleteContact.run(project.ctx, { id: left.id });
    await importFile('email\nnew@a.test\nleft@a.test\n');
    await importFile('email\noff@a.test\n', 'false');
    const rows = await test.services.database.prisma.contact.findMany({ where: { projectId: project.id } });
    expect(Object.fromEntries(rows.map(({ email, subscribed }) => [email, subscribed]))).toEqual({
      'new@a.test': true,
      'left@a.test': false,
      'off@a.test': false,
    });
  });

  it.each([
    ['an empty file', '', 'empty'],
    ['blank lines', '\n\n', 'empty'],
    ['no column email', 'post,name\na@a.test,x\n', 'no column "email", but "post", "name"'],
    [
      'two such columns',
      'mail,E-Mail\na@a.test,b@a.test\n',
      'several columns for the email address: "mail", "E-Mail"',
    ],
    ['two columns of one name', 'email,tag,tag\na@a.test,1,2\n', 'two columns "tag"'],
    [
      'two columns for one field',
      'email,plan,data.plan\na@a.test,1,2\n',
      '"plan" and "data.plan" both become data.plan',
    ],
    [
      'two columns for the subscription',
      'email,subscribed,Subscribed\na@a.test,1,2\n',
      'both become subscribed',
    ],
    ['a header with a misplaced quote', 'email,"na"me\na@a.test,x\n', 'The header cannot be read. A quote'],
    ['Latin-1', Buffer.from('email,name\na@a.test,Andr\xe9\n', 'latin1'), '(probably windows-1252)'],
    ['quotes all over', `email\n${'"a"b\n'.repeat(1_001)}`, 'more than 1,000 rows'],
  ])('of %s fails and stores nothing', async (_name, csv, reason) => {
    const job = await importFile(csv);
    expect(job).toMatchObject({
      state: 'failed',
      result: null,
      failedReason: expect.stringContaining(reason),
    });
    expect(await contacts()).toEqual({});
  });

  it('fails rows, not the file, for cells that cannot be stored', async () => {
    const job = await importFile(
      `email,big\nnul@a.test,x\0y\nbig@a.test,${'x'.repeat(70_000)}\nok@a.test,1\n`,
    );
    expect(job.result).toMatchObject({ totalRows: 3, successCount: 1, failureCount: 2 });
    expect(job.result?.errors.map(({ row }) => row)).toEqual([1, 2]);
    expect(await contacts()).toEqual({ 'ok@a.test': { big: '1' } });
  });

  it('no row fails by its locale, however another program writes it', async () => {
    const job = await importFile(
      'email,locale\na@a.test,de_DE.UTF-8\nb@a.test,english please\nc@a.test,1031\nd@a.test,true\ne@a.test,\n',
    );
    expect(job.result).toMatchObject({ totalRows: 5, successCount: 5, failureCount: 0 });
    expect(await contacts()).toEqual({
      'a@a.test': { locale: 'de-DE' },
      'b@a.test': { locale: 'english please' },
      'c@a.test': { locale: '1031' },
      'd@a.test': { locale: 'true' },
      'e@a.test': {},
    });
  });

  it('fails a row whose contact would become too large, but no other row of its batch', async () => {
    await upsertContact.run(project.ctx, { email: 'full@a.test', data: { old: 'x'.repeat(40_000) } });
    const job = await importFile(`email,new\nfull@a.test,${'y'.repeat(40_000)}\nok@a.test,1\n`);
    expect(job.result).toMatchObject({
      createdCount: 1,
      failureCount: 1,
      errors: [{ row: 1, email: 'full@a.test' }],
    });
  });

  it('continues after the last stored batch, and repeats nothing', async () => {
    const rows = Array.from({ length: 12_000 }, (_, index) => `n${index}@a.test,${index}`);
    const { jobId } = await startContactImport.run(project.ctx, { csv: `email,n\n${rows.join('\n')}\n` });
    let beats = 0;
    const stopAfterTwo = () => {
      beats += 1;
      if (beats === 3) throw new Error('the worker was stopped');
    };
    await expect(runImport(test.services, jobId, stopAfterTwo)).rejects.toThrow('stopped');
    expect(await getContactImport.run(project.ctx, { jobId })).toMatchObject({
      state: 'active',
      progress: 83,
      result: null,
    });
    await runImport(test.services, jobId, () => undefined);
    await runImport(test.services, jobId, () => undefined);
    expect((await getContactImport.run(project.ctx, { jobId })).result).toMatchObject({
      totalRows: 12_000,
      createdCount: 12_000,
      updatedCount: 0,
      failureCount: 0,
    });
    expect(await test.services.database.prisma.contact.count({ where: { projectId: project.id } })).toBe(
      12_000,
    );
  });

  it('lists at most 100 errors and counts them all', async () => {
    const job = await importFile(`email\n${'bad\n'.repeat(150)}`);
    expect(job.result).toMatchObject({ totalRows: 150, failureCount: 150 });
    expect(job.result?.errors).toHaveLength(100);
  });

  it('of more than 5 MB is refused', async () => {
    await expect(
      startContactImport.run(project.ctx, { csv: 'x'.repeat(5 * 1024 * 1024 + 1) }),
    ).rejects.toMatchObject({
      code: 'INVALID_REQUEST_BODY',
      kind: 'too_large',
    });
  });
});

describe('the file of an import', () => {
  it('of several megabytes is read as it was written', async () => {
    const rows = Array.from(
      { length: 60_000 },
      (_, n) => `person${n}@a.test,Zoë ${n} ${'\u{1F600}'.repeat(5)}`,
    );
    const bytes = Buffer.from(`email,name\n${rows.join('\n')}`);
    expect(bytes.length).toBeGreaterThan(2_500_000);
    const { jobId } = await startContactImport.run(project.ctx, { csv: bytes });
    expect((await readImportFile(test.services.database, jobId))?.equals(bytes)).toBe(true);
  });

  it('whose length is that of a part is read to its end', async () => {
    const bytes = Buffer.alloc(1_048_576, 'a');
    const { jobId } = await startContactImport.run(project.ctx, { csv: bytes });
    expect((await readImportFile(test.services.database, jobId))?.equals(bytes)).toBe(true);
  });

  it('is removed after an hour when its job was never stored, and stays while its job waits', async () => {
    const { jobId } = await startContactImport.run(project.ctx, { csv: 'email\na@a.test\n' });
    const lost = { jobId: newId(), projectId: project.id, bytes: Buffer.from('email\n') };
    await storeImportFile(test.services.database, lost);
    const files = async () =>
      (await test.services.database.prisma.jobFile.findMany({ where: { projectId: project.id } })).map(
        (file) => file.jobId,
      );
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    await sweepJobs(test.services, inMinutes(59), 100);
    expect((await files()).sort()).toEqual([jobId, lost.jobId].sort());
    await sweepJobs(test.services, inMinutes(61), 100);
    expect(await files()).toEqual([jobId]);
  });

  it('of a refused request is not stored', async () => {
    const refused = startContactImport.run(project.ctx, { csv: 'email\n', segmentId: newId() });
    await expect(refused).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
    expect(await test.services.database.prisma.jobFile.count({ where: { projectId: project.id } })).toBe(0);
  });
});

describe('a file that was made to take long', () => {
  const size = 300_000;

  it.each([
    ['lines of a single quote', '"\n'],
    ['rows with fewer cells than the header', 'a\n'],
    ['rows with more cells than the header', 'a,b,c,d\n'],
    ['a row without end', 'aaa'],
    ['doubled quotes', '"a""'],
  ])('%s: the event loop is left to others after each piece and each row', async (_, filling) => {
    const file = Buffer.from(`email,name\n${filling.repeat(size / filling.length)}`);
    const breath = new Breath(0);
    let rows = 0;
    const attempt = async (work: () => Promise<unknown>) => {
      await work().catch((error: unknown) => expect(error).toBeInstanceOf(UnreadableCsv));
    };
    await attempt(async () => {
      for await (const read of (await openCsv(file)).rows()) rows += read.length;
    });
    await attempt(async () => {
      const survey = {
        options: { subscribed: true },
        fieldTypes: new Map(),
        topics: new Map(),
        zone: 'UTC',
        breath,
      };
      await surveyFile(await openCsv(file, 'auto', breath), survey);
    });
    expect(breath.taken).toBeGreaterThanOrEqual(rows + Math.floor(size / 65_536));
  });

  it('rows that fail beside the import of a neighbour, which is stored meanwhile', async () => {
    const hostile = await startContactImport.run(project.ctx, {
      csv: `email,name\n${'bad\n'.repeat(200_000)}`,
    });
    let hasEnded = false;
    const attack = runImport(test.services, hostile.jobId).then(() => {
      hasEnded = true;
    });
    const neighbour = await createTestProject(test.services);
    const { jobId } = await startContactImport.run(neighbour.ctx, { csv: 'email\na@a.test\n' });
    await runImport(test.services, jobId);
    expect(hasEnded).toBe(false);
    expect(await getContactImport.run(neighbour.ctx, { jobId })).toMatchObject({ state: 'completed' });
    await attack;
    const job = await getContactImport.run(project.ctx, { jobId: hostile.jobId });
    expect(['completed', 'failed']).toContain(job.state);
  });

  it('the rows of the header are not repeated without end in the file of failed rows', async () => {
    const columns = Array.from({ length: 999 }, (_, n) => `c${n}`);
    const job = await importFile(`email,${columns.join(',')}\n${'bad\n'.repeat(30_000)}`);
    expect(job.result).toMatchObject({ totalRows: 30_000, failureCount: 30_000 });
    const stored = await test.services.database.prisma.importFailedRows.findMany({
      where: { jobId: job.id },
    });
    const bytes = stored.reduce((sum, part) => sum + part.bytes.length, 0);
    expect(bytes).toBeLessThan(26 * 1_048_576);
  });

  it('with more than 1,000 columns fails', async () => {
    const job = await importFile(`email${',c'.repeat(1_000)}\na@a.test\n`);
    expect(job).toMatchObject({
      state: 'failed',
      failedReason: 'The header has more than 1,000 columns',
    });
  });
});

it('values written as CSV are read back, with any separator and line ends', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('a,b', 'a;b', 'a\tb', '"', '""', 'two\nlines', 'two\r\nlines', ' blank ', 'ünï'),
  );
  const name = fc.stringMatching(/^[a-z]{1,6}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { minLength: 2, maxLength: 5 }),
      fc.array(fc.array(cell, { minLength: 5, maxLength: 5 }), { maxLength: 8 }),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      async (header, rows, separator, lineEnd, mark) => {
        const table = [header, ...rows.map((row) => row.slice(0, header.length))];
        const read: string[][] = [];
        const file = Buffer.from((mark ? '\uFEFF' : '') + stringify(table, separator, lineEnd));
        for await (const rows of (await openCsv(file)).rows()) read.push(...rows.map(({ cells }) => cells));
        expect(read).toEqual(table.filter((cells) => cells.some((each) => each.trim() !== '')));
      },
    ),
    { numRuns: runs(60) },
  );
});
