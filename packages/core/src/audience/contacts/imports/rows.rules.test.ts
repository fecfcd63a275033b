import { describe, expect, it } from 'vitest';
import { CsvReader, csvDialectOf } from '../../../base/lib/csv-reader.rules.ts';
import { type HeaderOptions, readHeader, skippedIn } from './header.rules.ts';
import { readMapping } from './mapping.rules.ts';
import { RowReader, type RowReading, TypeSurvey } from './rows.rules.ts';

function readText(text: string, options: HeaderOptions & { byForm?: 'yes' | 'no' | 'nothing' } = {}) {
  const { skip, ...dialect } = csvDialectOf([text]);
  const reader = new CsvReader(dialect);
  const [head, ...rows] = [...reader.feed(text.slice(skip)), ...reader.end()];
  const reading = readHeader(head?.cells ?? [], options);
  if (!reading.ok) throw new Error(reading.problem);
  const types = new TypeSurvey(reading.header);
  for (const row of rows) types.add(row);
  const header = types.result();
  const rowReader = new RowReader(header, { byForm: options.byForm ?? 'yes', zone: 'UTC' });
  return { header, rows: rows.map((row) => rowReader.read(row)) };
}

const dataOf = (reading: RowReading | undefined) => (reading?.ok ? reading.data : reading?.error);
const dataIn = (text: string, options?: HeaderOptions) => readText(text, options).rows.map(dataOf);
const saidIn = (text: string, byForm?: 'yes' | 'no' | 'nothing') =>
  readText(text, byForm ? { byForm } : {}).rows.map((row) => (row.ok ? row.consent.said : row.error));

describe('without a type, a column has one by all of its cells', () => {
  it('text that would not read the same as a number or boolean stays text', () => {
    expect(
      dataIn(
        'email,price,version,zip,phone,order,score,surname,country\r\n' +
          'ann9@people.example,19.90,1.10,12345,491701234567,007,1e5,True,NO\r\n' +
          'bob9@people.example,5,2.0,01069,+491701234567,12345678901234567,-0,Null,FALSE\r\n',
      ),
    ).toEqual([
      {
        price: '19.90',
        version: '1.10',
        zip: '12345',
        phone: '491701234567',
        order: '007',
        score: '1e5',
        surname: 'True',
        country: 'NO',
      },
      {
        price: '5',
        version: '2.0',
        zip: '01069',
        phone: '+491701234567',
        order: '12345678901234567',
        score: '-0',
        surname: 'Null',
        country: 'FALSE',
      },
    ]);
  });

  it('numbers and booleans are those where every cell is one; empty cells say nothing', () => {
    expect(
      dataIn('email,seats,vip,q,mixed\na@a.test,1,TRUE,"5",1\nb@a.test,,false,"7.5","2"\nc@a.test,30,,,\n'),
    ).toEqual([{ seats: 1, vip: true, q: 5, mixed: '1' }, { vip: false, q: 7.5, mixed: '2' }, { seats: 30 }]);
  });

  it('rows that are refused for their cells decide nothing', () => {
    expect(dataIn('email,n\na@a.test,1\nb@a.test,x,y\n"c"c,z\n')).toEqual([
      { n: 1 },
      '3 cells, but the header has 2',
      'A quote is not closed or stands in the wrong place',
    ]);
  });
});

describe('cells and rows', () => {
  it('one apostrophe before a formula is taken away', () => {
    expect(dataIn(`email,a,b,c,d\na@a.test,'=1+1,''=1,'tis,"'-5"\n`)).toEqual([
      { a: '=1+1', b: `'=1`, c: `'tis`, d: -5 },
    ]);
    expect(readText(`email\n'=cmd@a.test\n`).rows).toMatchObject([{ ok: true, email: '=cmd@a.test' }]);
  });

  it('a row of too many cells is refused, unless the others are empty; missing ones are empty', () => {
    expect(
      dataIn('email,name,plan\na@a.test,Miller, Bob,free\nb@a.test,B,pro,,\nc@a.test\nd@a.test,D,pro, ,x\n'),
    ).toEqual([
      '4 cells, but the header has 3',
      { name: 'B', plan: 'pro' },
      {},
      '5 cells, but the header has 3',
    ]);
  });

  it('a cell that cannot be read is left out, with the reason; the row is taken', () => {
    const { mapping } = readMapping({
      mrr: { to: 'data.mrr', format: '1.234,5' },
      born: { to: 'data.born', type: 'DATE', format: 'DD/MM/YYYY' },
    });
    const { rows } = readText(
      'email,mrr,born\na@a.test,"18,5o",20/11/2026\nb@a.test,"1.050,5",11/20/2026\n',
      { mapping: mapping ?? {} },
    );
    expect(rows).toMatchObject([
      {
        ok: true,
        data: { born: '2026-11-20' },
        unread: [{ index: 1, value: '18,5o', reason: 'is not a number written as 1.234,5' }],
      },
      {
        ok: true,
        data: { mrr: 1050.5 },
        unread: [{ index: 2, value: '11/20/2026', reason: 'is not a date written as DD/MM/YYYY' }],
      },
    ]);
  });

  it('the type of a definition counts where the mapping has none, and only a list holds lists', () => {
    const fieldTypes = new Map([
      ['zip', 'TEXT'],
      ['tags', 'LIST'],
      ['vip', 'BOOLEAN'],
    ] as const);
    expect(dataIn('email,zip,tags,vip,n\na@a.test,1,"a,b",yes,1\n', { fieldTypes })).toEqual([
      { zip: '1', tags: ['a', 'b'], vip: true, n: 1 },
    ]);
    const mapping = { tags: { to: 'data.tags', type: 'LIST' as const } };
    expect(readHeader(['email', 'tags'], { mapping })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('holds no lists'),
    });
    expect(
      dataIn('email,tags\na@a.test,a;b\n', {
        fieldTypes,
        mapping: { tags: { to: 'data.tags', separator: ';' } },
      }),
    ).toEqual([{ tags: ['a', 'b'] }]);
  });
});

describe('the header', () => {
  it.each([
    'email',
    'Email',
    'E-Mail',
    'e_mail',
    'Email Address',
    'email-address',
    'mail',
    'E-Mail-Adresse',
    'Adresse email',
    'Correo',
    'EMAIL\u200b',
  ])('%s is the address', (name) =>
    expect(readHeader(['plan', name])).toMatchObject({ ok: true, header: { email: 1 } }),
  );

  it('columns that nobody named and those of the service are skipped, data.x is the field x', () => {
    const reading = readHeader([
      'id',
      'email',
      '',
      'data.plan',
      'projectId',
      ' Full\u00adName ',
      'createdAt',
    ]);
    expect(reading).toMatchObject({ ok: true });
    if (!reading.ok) return;
    expect(skippedIn(reading.header)).toEqual(['id', 'Column 3', 'projectId', 'createdAt']);
    expect(reading.header.columns).toMatchObject([
      null,
      { to: 'email' },
      null,
      { key: 'plan' },
      null,
      { key: 'FullName' },
      null,
    ]);
  });

  it('two columns of one name do no harm where both are skipped', () => {
    expect(readHeader(['email', 'tag', 'tag'], { mapping: { tag: null } })).toMatchObject({ ok: true });
    expect(readHeader(['email', 'tag', 'tag'])).toMatchObject({
      ok: false,
      problem: 'The header has two columns "tag"',
    });
  });

  it('the mapping names the address, and the column that would be it is a field', () => {
    expect(
      dataIn('email,work\na@a.test,b@a.test\n', { mapping: { email: 'data.private', work: 'email' } }),
    ).toEqual([{ private: 'a@a.test' }]);
  });
});

describe('an export of contacts is read as it was written', () => {
  const head = 'id,email,subscribed,snoozedUntil,projectId,createdAt,updatedAt';
  it('unquoted cells are numbers and booleans, quoted ones are text; the subscription is that of the contact', () => {
    const { rows, header } = readText(
      `${head},data.first_name,data.n,data.note,data.blank\n` +
        `1,lou@people.example,false,,2,2026-11-25T18:38:30.906Z,2026-11-25T18:38:30.906Z,Lou,"12",'=1,"  "\n` +
        `1,kim@people.example,true,,2,2026-11-25T18:38:30.906Z,2026-11-25T18:38:30.906Z,true,12,"'-5",\n`,
    );
    expect(rows).toMatchObject([
      {
        email: 'lou@people.example',
        consent: { said: 'no' },
        data: { first_name: 'Lou', n: '12', note: '=1', blank: '  ' },
      },
      {
        email: 'kim@people.example',
        consent: { said: 'yes' },
        data: { first_name: true, n: 12, note: '-5' },
      },
    ]);
    expect(skippedIn(header)).toEqual(['id', 'projectId', 'createdAt', 'updatedAt']);
  });

  it('a list is split as the export joins it', () => {
    const fieldTypes = new Map([['tags', 'LIST']] as const);
    expect(dataIn(`${head},data.tags\n1,a@a.test,true,,2,x,x,"a,b; ""c; d"""\n`, { fieldTypes })).toEqual([
      { tags: ['a,b', 'c; d'] },
    ]);
  });
});

describe('what rows say about the subscription', () => {
  it('a column counts, the form for no row then; empty cells say nothing', () => {
    expect(
      saidIn('email,Subscribed\na@a.test,yes\nb@a.test,0\nc@a.test,\nd@a.test,perhaps\n', 'yes'),
    ).toEqual(['yes', 'no', 'nothing', 'subscribed: "perhaps" is neither yes nor no']);
    expect(saidIn('email\na@a.test\n', 'no')).toEqual(['no']);
  });

  it('status is about the subscription only where every cell is a status or a yes or no', () => {
    expect(saidIn('email,Status\na@a.test,subscribed\nb@a.test,unsubscribed\nc@a.test,snoozed\n')).toEqual([
      'yes',
      'no',
      'no',
    ]);
    const orders = readText('email,status\na@a.test,active\nb@a.test,shipped\n');
    expect(orders.rows).toMatchObject([
      { data: { status: 'active' }, consent: { said: 'yes' } },
      { data: { status: 'shipped' }, consent: { said: 'yes' } },
    ]);
  });

  it('a pause has its end, and an opt-out counts more', () => {
    const { rows } = readText(
      'email,subscribed,status,snoozedUntil\na@a.test,false,snoozed,2027-01-01T00:00:00.000Z\nb@a.test,false,unsubscribed,2027-01-01\nc@a.test,true,,\nd@a.test,,,soon\n',
    );
    expect(rows).toMatchObject([
      { consent: { said: 'snooze', until: new Date('2027-01-01') } },
      { consent: { said: 'no', until: null } },
      { consent: { said: 'yes' } },
      { ok: false, error: 'snoozedUntil: "soon" is not a date' },
    ]);
  });
});

describe('a mapping', () => {
  it.each<[unknown, string[]]>([
    [{ a: 'plan' }, ['a']],
    [{ a: { to: 'data.a', type: 'NUM' } }, ['a', 'type']],
    [{ a: { to: 'data.a', format: 'DD/MM' } }, ['a', 'format']],
    [{ a: { to: 'data.a', type: 'NUMBER', format: 'ISO' } }, ['a', 'format']],
    [{ a: { to: 'data.a', type: 'TEXT', separator: ';' } }, ['a', 'separator']],
    [{ a: { to: 'data.a', typ: 'TEXT' } }, ['a', 'typ']],
    [{ a: { to: 'subscribed', type: 'BOOLEAN' } }, ['a', 'type']],
    [{ a: { type: 'TEXT' } }, ['a', 'to']],
    [{ a: 'status', b: { to: 'status' } }, []],
    [{ a: 'data.email' }, ['a']],
  ])('%j is refused at %j', (mapping, path) => {
    expect(readMapping(mapping).issues).toMatchObject([{ path }]);
  });

  it('may be typed', () => {
    const mapping = {
      a: { to: 'data.a', type: 'LIST', separator: ';' },
      b: { to: 'subscribed' },
      c: { to: 'data.c', format: 'UNIX' },
      __proto__x: null,
    };
    expect(readMapping(mapping)).toEqual({ mapping, issues: [] });
  });
});
