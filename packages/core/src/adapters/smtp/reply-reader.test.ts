import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { ReplyReader } from './reply-reader.ts';

function reader() {
  const seen: string[] = [];
  const listener = {
    closed: false,
    onReply: (code: number, text: string) => void seen.push(`${code}|${text}`),
    onContinuation: () => {},
    onMalformed: (error: string) => {
      seen.push(error);
      listener.closed = true;
    },
  };
  return { seen, listener, reading: new ReplyReader(listener) };
}

const line = fc.stringMatching(/^[ -~\u0080-\u00ff]{0,20}$/);
const reply = fc
  .record({
    code: fc.constantFrom(220, 250, 354, 421, 550),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  })
  .map(({ code, lines }) => lines.map((text, i) => `${code}${i === lines.length - 1 ? ' ' : '-'}${text}`));

describe('replies', () => {
  it('are the same however they arrive', () => {
    fc.assert(
      fc.property(
        fc.array(reply, { maxLength: 5 }),
        fc.constantFrom('\r\n', '\n'),
        fc.array(fc.nat(400), { maxLength: 12 }),
        (replies, lineEnd, cuts) => {
          const { seen, reading } = reader();
          const text = replies.map((lines) => lines.map((each) => each + lineEnd).join('')).join('');
          const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
          for (let i = 1; i < at.length; i += 1) reading.feed(text.slice(at[i - 1], at[i]));
          expect(seen).toEqual(replies.map((lines) => `${lines[0]?.slice(0, 3)}|${lines.join('\n')}`));
        },
      ),
    );
  });

  it('are the same when each byte arrives alone', () => {
    const { seen, reading } = reader();
    for (const byte of '250-one\r\n250 two\r\n354\r\n\r\n550 no\n') reading.feed(byte);
    expect(seen).toEqual(['250|250-one\n250 two', '354|354', '550|550 no']);
  });

  it.each([
    'hello\r\n',
    '25 no\r\n',
    '2500 no\r\n',
    '650 no\r\n',
    '250-one\r\n550 two\r\n',
    '250-one\r\n\r\n',
  ])('are not %j', (text) => {
    const { seen, reading } = reader();
    reading.feed(`${text}250 more\r\n`);
    expect(seen).toEqual([expect.stringContaining('Expected a reply')]);
  });

  it.each([
    ['a line', 'x'.repeat(1_000)],
    ['lines', '250-x\r\n'],
  ])('without an end, in %s, do not fill the memory', (_, piece) => {
    const { seen, listener, reading } = reader();
    for (let i = 0; i < 100_000 && !listener.closed; i += 1) reading.feed(piece);
    expect(seen).toEqual(['The reply is too long']);
  });
});
