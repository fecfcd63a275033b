import type { Task } from '../../base/kernel/ports/threads.ts';

export interface VerifySignaturesInput {
  raw: Uint8Array<ArrayBuffer>;
  /** the TXT records of the keys, by `<selector>._domainkey.<domain>` */
  keys: Record<string, string>;
}

/** Verifies DKIM signatures (RFC 6376) with keys that were looked up before. @returns the domains of those that are valid */
export const verifySignaturesTask: Task<VerifySignaturesInput, string[]> = {
  name: 'verify-signatures',
  async run({ raw, keys }) {
    // Few reports are signed, and the library is large.
    const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
    const message = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    const { results } = await dkimVerify(message, { strict: true, resolver: (name) => find(keys, name) });
    return results.filter(isWhole).flatMap(({ signingDomain }) => signingDomain?.toLowerCase() ?? []);
  },
};

async function find(keys: Record<string, string>, name: string): Promise<string[][]> {
  const key = Object.hasOwn(keys, name.toLowerCase()) ? keys[name.toLowerCase()] : undefined;
  if (key === undefined) throw Object.assign(new Error('not looked up'), { code: 'ENOTFOUND' });
  return [[key]];
}

interface Verified {
  status: { result: string; testing?: boolean | undefined };
  signingHeaders?: { keys?: string | undefined } | undefined;
  canonBodyLengthLimited?: boolean | undefined;
}

/**
 * Whether a signature is valid and covers what a report is read from: with a length limit, or without Content-Type, somebody else could
 * have added a report to a signed message. Keys in testing prove nothing (RFC 6376, 3.6.1).
 */
const isWhole = ({ status, signingHeaders, canonBodyLengthLimited }: Verified): boolean =>
  status.result === 'pass' &&
  status.testing !== true &&
  canonBodyLengthLimited !== true &&
  /(^|:)\s*content-type\s*(:|$)/i.test(signingHeaders?.keys ?? '');
