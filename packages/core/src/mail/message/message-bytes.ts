/** A complete message, before it is written into a buffer. */
export interface MessageDraft {
  readonly text: string;
  /** Non-ASCII addresses are the only other text; they are in UTF-8 (RFC 6532). */
  readonly isAscii: boolean;
  /** What follows the text. */
  readonly attached: Buffer | null;
}

/** Writes messages into one buffer that holds nothing else, so it can be transferred to another thread. */
export function writeMessages(drafts: readonly MessageDraft[]): Buffer[] {
  const lengths = drafts.map(lengthOf);
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0));
  let from = 0;
  return drafts.map(({ text, isAscii, attached }, index) => {
    const to = from + (lengths[index] ?? 0);
    bytes.write(text, from, to - from - (attached?.length ?? 0), isAscii ? 'latin1' : 'utf8');
    attached?.copy(bytes, to - attached.length);
    const message = bytes.subarray(from, to);
    from = to;
    return message;
  });
}

function lengthOf({ text, isAscii, attached }: MessageDraft): number {
  return (isAscii ? text.length : Buffer.byteLength(text, 'utf8')) + (attached?.length ?? 0);
}
