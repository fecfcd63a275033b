/** Where a span is: what processes pass on to each other of a trace. */
export interface TraceContext {
  /** 32 hex digits */
  readonly traceId: string;
  /** of the span above, 16 hex digits */
  readonly spanId: string;
  /** whether the spans of this trace are exported */
  readonly isSampled: boolean;
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const nothing = /^0+$/;

/** Reads a header of W3C Trace Context, level 1. @returns null for one that is not valid, which has to be ignored */
export function readTraceparent(header: string): TraceContext | null {
  const [, version, traceId = '', spanId = '', flags = '', more] = traceparent.exec(header) ?? [];
  if (version === undefined || version === 'ff' || nothing.test(traceId) || nothing.test(spanId)) return null;
  // Later versions may add fields, but begin like the first.
  if (version === '00' && more !== undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Version, trace id, span id and flags, as the header has them in digits. */
const length = 26;

/** A context as rows keep it. */
export const bytesOfTrace = ({ traceId, spanId, isSampled }: TraceContext): Buffer =>
  Buffer.from(`00${traceId}${spanId}${isSampled ? '01' : '00'}`, 'hex');

/** @returns null for what a later version wrote in another form */
export function traceOfBytes(bytes: Uint8Array | null): TraceContext | null {
  if (bytes?.length !== length || bytes[0] !== 0) return null;
  const digits = Buffer.from(bytes).toString('hex');
  return readTraceparent(
    `${digits.slice(0, 2)}-${digits.slice(2, 34)}-${digits.slice(34, 50)}-${digits.slice(50)}`,
  );
}
