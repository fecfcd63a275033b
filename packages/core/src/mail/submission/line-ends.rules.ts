const [NUL, LF, CR] = [0x00, 0x0a, 0x0d];

/**
 * Whether every line ends with CRLF, and no byte is NUL (RFC 5321 2.3.8). Servers disagree about a bare CR or LF: a message with one may end
 * earlier for the next server than for this one, and what follows would be read as commands.
 */
export function hasCleanLines(message: Buffer): boolean {
  if (message.includes(NUL)) return false;
  for (let at = message.indexOf(LF); at !== -1; at = message.indexOf(LF, at + 1))
    if (message[at - 1] !== CR) return false;
  for (let at = message.indexOf(CR); at !== -1; at = message.indexOf(CR, at + 2))
    if (message[at + 1] !== LF) return false;
  return true;
}
