import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { stuffDots, terminatorOf } from './dot-stuffing.ts';

/** What goes over the wire when the message is written in parts of the given size. */
function wire(message: Buffer, size: number): string {
  const parts: Buffer[] = [];
  for (let at = 0; at < message.length; at += size)
    parts.push(stuffDots(message.subarray(at, at + size), message[at - 1]));
  return Buffer.concat([...parts, terminatorOf(message)]).toString('latin1');
}

const text = fc
  .array(fc.constantFrom('.', '\r\n', 'a', '\n', '\r', '..'), { maxLength: 40 })
  .map((parts) => parts.join(''));
const size = fc.integer({ min: 1, max: 9 });

describe('dot-stuffing', () => {
  it('can be undone by the rule of RFC 5321, 4.5.2', () => {
    fc.assert(
      fc.property(text, size, (raw, partSize) => {
        const message = raw.replace(/\r?\n|\r/g, '\r\n');
        const sent = wire(Buffer.from(message), partSize);
        const undone = `\r\n${sent}`.slice(0, -3).replaceAll('\r\n..', '\r\n.').slice(2);
        expect(undone).toBe(message === '' || message.endsWith('\r\n') ? message : `${message}\r\n`);
      }),
    );
  });

  it('leaves no line with a single dot before the end, for any line end that a receiver accepts', () => {
    fc.assert(
      fc.property(text, size, (message, partSize) => {
        const sent = wire(Buffer.from(message), partSize);
        const lines = sent.slice(0, -'.\r\n'.length).split(/\r\n|\r|\n/);
        expect(lines).not.toContain('.');
      }),
    );
  });

  it('does not copy a message without a dot to double', () => {
    const part = Buffer.from('a.b\r\nc');
    expect(stuffDots(part, undefined)).toBe(part);
  });
});
