import { expect, it } from 'vitest';
import { defaultTargets, preview, proposedEncoding, readHead, samplesOf } from './csv-head.rules.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

const head = (text: string) => {
  const read = readHead(bytesOf(text));
  if (!('head' in read)) throw new Error(read.problem);
  return read.head;
};

it('the head of a file is read as the import reads it: separators, quotes, line ends', () => {
  const read = head('\uFEFFE-mail;"Full ""name"""\r\n\r\nann@a.test;"Lee;\nAnn"\r\n');
  expect(read.headers).toEqual(['E-mail', 'Full "name"']);
  expect(read.rows.map(({ cells }) => cells)).toEqual([['ann@a.test', 'Lee;\nAnn']]);
  expect(head('sep=|\remail|name\ra@a.test|A,B').rows[0]?.cells).toEqual(['a@a.test', 'A,B']);
  expect(head(`email\n${'a@a.test\n'.repeat(100)}`).rows).toHaveLength(5);
  expect(readHead(bytesOf(''))).toEqual({ problem: 'The file is empty.' });
});

it('a file in another encoding is read with the one that is proposed, and its rows with other letters are shown', () => {
  const lines = [
    'email,name',
    ...Array.from({ length: 40 }, (_, n) => `n${n}@a.test,Ann`),
    'z@a.test,J\xf6rg',
  ];
  const bytes = Uint8Array.from(lines.join('\n'), (char) => char.charCodeAt(0));
  expect(readHead(bytes)).toEqual({ problem: 'The file is not text in this encoding.' });
  const encoding = proposedEncoding(bytes);
  expect(encoding).toBe('windows-1252');
  expect(encoding && readHead(bytes, encoding)).toMatchObject({
    head: { rows: [{ cells: ['z@a.test', 'Jörg'] }] },
  });
});

it.each(['email', 'EMAIL', 'E-Mail', 'mail', 'Email address', 'e-mail-address'])(
  'a column %s is taken for the address',
  (header) => {
    const cells = ['plan', header];
    expect(defaultTargets({ headers: cells, cells, sample: [] })).toEqual({
      plan: 'data.plan',
      [header]: 'email',
    });
  },
);

it('columns that cannot be set are skipped, and those about the subscription are known', () => {
  const cells = ['email', 'id', 'createdAt', 'Subscribed', 'snoozedUntil', 'data.plan'];
  expect(defaultTargets({ headers: cells, cells, sample: [] })).toEqual({
    email: 'email',
    id: null,
    createdAt: null,
    Subscribed: 'subscribed',
    snoozedUntil: 'snoozedUntil',
    'data.plan': 'data.plan',
  });
});

it('a status is about the subscription where its cells are, and cells are read as they suggest', () => {
  const of = (text: string) => defaultTargets(head(text));
  expect(of('email,status,price\na@a.test,active,"19,90"\n')).toEqual({
    email: 'email',
    status: 'status',
    price: { to: 'data.price', type: 'NUMBER', format: '1.234,5' },
  });
  expect(of('email,status\na@a.test,shipped\n')).toMatchObject({ status: 'data.status' });
  expect(of('id,email,unsubscribedBy,projectId,createdAt,data.a\n1,a@a.test,request,2,x,"1,5"\n')).toEqual({
    id: null,
    email: 'email',
    projectId: null,
    createdAt: null,
    'data.a': 'data.a',
  });
});

it('a header is proposed as the field that it is probably meant as', () => {
  const cells = ['email', 'First Name', 'plan', 'Phone', 'phone_'];
  expect(
    defaultTargets(
      { headers: cells, cells, sample: [] },
      { fields: ['firstName', 'plan', 'PHONE', 'other'] },
    ),
  ).toEqual({
    email: 'email',
    'First Name': 'data.firstName',
    plan: 'data.plan',
    Phone: 'data.Phone',
    phone_: 'data.phone_',
  });
});

it('without one column of addresses, the others are proposed all the same', () => {
  const cells = ['mail', 'E-Mail', 'plan'];
  expect(defaultTargets({ headers: cells, cells, sample: [] })).toMatchObject({ plan: 'data.plan' });
  expect(preview({ cells, rows: [], sample: [] }, {})).toEqual({
    problem: expect.stringContaining('several columns'),
  });
});

it('the preview has contacts as they would be stored, and the reason of rows that fail', () => {
  const file = head('mail,seats,vip,note\nANN@a.test,3,TRUE,x\nnonsense,,,\n');
  const mapping = { mail: 'email', seats: 'data.size', note: null };
  expect(preview(file, mapping)).toMatchObject({
    rows: [
      { ok: true, email: 'ann@a.test', data: { size: 3, vip: true } },
      { ok: false, email: 'nonsense', error: 'Invalid email address' },
    ],
  });
  expect(samplesOf(file, 'seats')).toBe('3');
});
