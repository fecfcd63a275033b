import type { OutgoingMessage, Refused } from '../../base/kernel/ports/mail-transport.ts';

type Envelope = OutgoingMessage['envelope'];

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not become part of a command.
const UNSPEAKABLE = /[\u0000-\u001f\u007f<>]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII.
const NOT_ASCII = /[^\u0000-\u007f]/;
/** RFC 5321, 4.5.3.1.3 allows 256 bytes; more are a mistake, and a command has room for this many. */
const LONGEST_ADDRESS = 500;

/**
 * An address that cannot be written between angle brackets is refused here as a server would (RFC 5321, 4.2.3: 553; RFC
 * 3463: 5.1.7 for the sender, 5.1.3 for the recipient), since it must never become part of a command.
 */
export function refuseEnvelope({ from, to }: Envelope): Refused | null {
  if (!isSpeakable(from)) return refusal('mail', '5.1.7', 'The sender address is not valid');
  if (to.trim() === '' || !isSpeakable(to))
    return refusal('rcpt', '5.1.3', 'The recipient address is not valid');
  return null;
}

function isSpeakable(address: string): boolean {
  return address.length <= LONGEST_ADDRESS && !UNSPEAKABLE.test(address);
}

/** Whether an address of the envelope or of the headers needs SMTPUTF8 (RFC 6531). */
export function needsUtf8({ from, to, hasUtf8Headers = false }: Envelope): boolean {
  return hasUtf8Headers || NOT_ASCII.test(from) || NOT_ASCII.test(to);
}

/** The refusal of such an envelope on a server without SMTPUTF8 (RFC 6531, 3.5: 553 5.6.7). */
export function refuseUtf8({ from, to }: Envelope): Refused {
  if (NOT_ASCII.test(from))
    return refusal('mail', '5.6.7', 'The mail server does not accept non-ASCII sender addresses (SMTPUTF8)');
  return NOT_ASCII.test(to)
    ? refusal('rcpt', '5.6.7', 'The mail server does not accept non-ASCII recipient addresses (SMTPUTF8)')
    : refusal('mail', '5.6.7', 'The mail server does not accept non-ASCII reply addresses (SMTPUTF8)');
}

/** An 8-bit message is given only to a server that offers 8BITMIME (RFC 6152). */
export function mailCommand(envelope: Envelope): string {
  const body = envelope.is8Bit ? ' BODY=8BITMIME' : '';
  return `MAIL FROM:<${envelope.from.trim()}>${body}${needsUtf8(envelope) ? ' SMTPUTF8' : ''}\r\n`;
}

export function rcptCommand({ to }: Envelope): string {
  return `RCPT TO:<${to.trim()}>\r\n`;
}

function refusal(stage: 'mail' | 'rcpt', enhancedCode: string, text: string): Refused {
  return {
    kind: 'refused',
    permanent: true,
    code: 553,
    enhancedCode,
    response: `553 ${enhancedCode} ${text}`,
    stage,
    isOwn: true,
  };
}
