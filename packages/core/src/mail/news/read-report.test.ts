import { describe, expect, it } from 'vitest';
import type { ReportClass } from './classify-report.rules.ts';
import { readReport } from './read-report.ts';
import { type Expected, samples } from './report-corpus.fixture.ts';

function nameOf(result: ReportClass | null): Expected {
  if (!result) return 'nothing';
  if (result.kind === 'bounce')
    return ({ Permanent: 'hard', Transient: 'soft', Undetermined: 'undetermined' } as const)[
      result.bounceType
    ];
  if (result.kind === 'delay') return 'delayed';
  return result.kind === 'auto_reply' ? 'auto' : result.kind;
}

const recipient = 'reader@people.example';
const read = (raw: string, envelopeFrom = '') => readReport(Buffer.from(raw), envelopeFrom, [recipient]);
const resultOf = (raw: string, envelopeFrom = '') => read(raw, envelopeFrom).results[0] ?? null;

describe('the corpus of reports', () => {
  it('has at least 200 of them, of every class', () => {
    expect(samples.length).toBeGreaterThanOrEqual(200);
    expect(new Set(samples.map(({ expected }) => expected)).size).toBe(10);
  });

  it('every one has its class', () => {
    const wrong: unknown[] = [];
    for (const { name, expected, envelopeFrom, raw } of samples) {
      const found = nameOf(resultOf(raw, envelopeFrom));
      if (found !== expected) wrong.push({ name, expected, found });
    }
    expect(wrong).toEqual([]);
  });
});

describe('the fingerprint of a report', () => {
  const body = 'From: postmaster@people.example\r\nSubject: Undeliverable\r\n\r\nunknown user';

  it('is that of its Message-ID, whatever else differs', () => {
    const one = read(`Message-ID: <a@mx.example>\r\n${body}`);
    const other = read(`Received: from relay\r\nMessage-ID: <a@mx.example>\r\n${body} again`);
    const third = read(`Message-ID: <b@mx.example>\r\n${body}`);
    expect(other.fingerprint).toBe(one.fingerprint);
    expect(third.fingerprint).not.toBe(one.fingerprint);
  });

  it('without one is that of its content, whichever way it came', () => {
    const one = read(body);
    expect(read(`Received: from relay by mx\r\n${body}`).fingerprint).toBe(one.fingerprint);
    expect(read(`${body}s`).fingerprint).not.toBe(one.fingerprint);
  });
});

describe('a loop', () => {
  it('is an email of the platform itself', () => {
    expect(read('X-Postrider-Email: 1\r\nSubject: News\r\n\r\nHello')).toMatchObject({ isLoop: true });
  });
  it('is a message that passed more than 100 servers', () => {
    const hops = (count: number) => `${'Received: from a by b\r\n'.repeat(count)}Subject: x\r\n\r\nHello`;
    expect(read(hops(101))).toMatchObject({ isLoop: true });
    expect(read(hops(100))).toMatchObject({ isLoop: false });
  });
});

it('the detail is what the server said', () => {
  const dsn = samples.find(({ name }) => name.startsWith('delivery status 0'));
  expect(resultOf(dsn?.raw ?? '')?.detail).toMatch(
    /^550 5\.1\.1 <reader@people\.example>: Recipient address rejected/,
  );
});

it('parts nested to exhaust the reader are an unknown message', () => {
  const open = Array.from(
    { length: 200 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  ).join('');
  expect(read(open)).toMatchObject({ results: [{ kind: 'unknown' }], isLoop: false });
});
