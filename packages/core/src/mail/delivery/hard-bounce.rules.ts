const CODES = new Set([550, 551, 553]);
/** RFC 3463 and RFC 7505: bad mailbox, bad system, bad address syntax, domain that accepts no mail. */
const ENHANCED_CODES = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.10']);
/** Enhanced codes that add nothing to the reply code, so that the text decides. */
const VAGUE = /^5\.(0\.0|1\.0|5\.0)$/;

const NO_SUCH_MAILBOX = [
  /\bno such (user|recipient|mailbox|account|address|person)\b/i,
  /\b(unknown|invalid|non-?existent) (or illegal )?(user|recipient|mailbox|account|alias)\b/i,
  /\b(user|recipient|mailbox|account|alias)( name)?( is)? (unknown|invalid|not found|not known)\b/i,
  /\b(user|recipient|mailbox|account)\b.{0,120}\b(does not|doesn['’]t|no longer) exists?\b/i,
  /\b(unknown|unrouteable|undeliverable) (recipient )?address\b/i,
  /\b(recipient )?address (is )?(unknown|not found)\b/i,
  /\bno mailbox here by that name\b/i,
  /\bnot a valid (mailbox|recipient|user)\b/i,
  /\bdoesn['’]t have an? \S+ account\b/i,
];
const ABOUT_THE_SENDER = /\bsender\b|\bfrom address\b|\bmail from\b/i;

/**
 * Whether a refusal of the recipient or the message means that the mailbox does not exist, which suppresses the
 * address. A precise enhanced code decides: a refusal by policy (5.7.x) or a full mailbox (5.2.x) is not a hard
 * bounce, whatever its text. Not for answers to MAIL FROM, which concern the sender.
 * @param code reply code (RFC 5321, 4.2)
 * @param enhancedCode enhanced status code (RFC 3463), null when the reply has none
 * @param response the unchanged reply, possibly of several lines
 */
export function classifyHardBounce(code: number, enhancedCode: string | null, response: string): boolean {
  if (!CODES.has(code)) return false;
  if (enhancedCode !== null && ENHANCED_CODES.has(enhancedCode)) return true;
  if (enhancedCode !== null && !VAGUE.test(enhancedCode)) return false;

  const text = response.replace(/\r?\n\d{3}[ -]/g, ' ');
  return !ABOUT_THE_SENDER.test(text) && NO_SUCH_MAILBOX.some((pattern) => pattern.test(text));
}
