import fc from '@postrider/vitest/fast-check.ts';
import { expect, it } from 'vitest';
import { bytesOfTrace, readTraceparent, traceOfBytes } from './trace-context.rules.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

it.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`00-${traceId}-${spanId}-03`, true],
  [`01-${traceId}-${spanId}-01-what-a-later-version-adds`, true],
])('%s is followed', (header, isSampled) => {
  expect(readTraceparent(header)).toEqual({ traceId, spanId, isSampled });
});

it.each([
  '',
  'traceparent',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}-0g`,
  ` 00-${traceId}-${spanId}-01`,
])('%j is ignored', (header) => {
  expect(readTraceparent(header)).toBeNull();
});

it('26 bytes say what the header says', () => {
  const digits = (count: number) =>
    fc
      .uint8Array({ minLength: count, maxLength: count })
      .map((bytes) => Buffer.from(bytes).toString('hex'))
      .filter((text) => !/^0+$/.test(text));
  fc.assert(
    fc.property(digits(16), digits(8), fc.boolean(), (trace, span, isSampled) => {
      const context = { traceId: trace, spanId: span, isSampled };
      const bytes = bytesOfTrace(context);
      expect(bytes).toHaveLength(26);
      expect(traceOfBytes(bytes)).toEqual(context);
    }),
  );
});

it('other bytes are no context', () => {
  expect(traceOfBytes(null)).toBeNull();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const context = traceOfBytes(bytes);
      if (context) expect(bytesOfTrace(context).subarray(0, 25)).toEqual(Buffer.from(bytes).subarray(0, 25));
    }),
  );
});
