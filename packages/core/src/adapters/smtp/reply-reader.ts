/** The longest reply that is kept, over all its lines. RFC 5321, 4.5.3.1.5 allows 512 bytes a line. */
const LONGEST_REPLY = 64 * 1024;
const REPLY_LINE = /^[1-5]\d\d(?:[ -]|$)/;

export interface ReplyListener {
  /** Once true, no more replies are read. */
  readonly closed: boolean;
  /** A complete reply: its code, and its lines joined by line feeds, one character per byte. */
  onReply(code: number, text: string): void;
  /** One line of a reply whose end has not arrived yet. */
  onContinuation(): void;
  /** Called when the server sent something that is not a reply. */
  onMalformed(error: string): void;
}

/** Puts replies (RFC 5321, 4.2) together from what arrives, however it is cut. */
export class ReplyReader {
  readonly #listener: ReplyListener;
  /** The present line as far as it has arrived. */
  #rest = '';
  /** Lines of the present reply that said that more follow. */
  #lines = '';
  #code = '';

  constructor(listener: ReplyListener) {
    this.#listener = listener;
  }

  /** @param text what arrived, one character per byte */
  feed(text: string): void {
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      const line = this.#rest + text.slice(at, end);
      this.#rest = '';
      at = end + 1;
      this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (this.#listener.closed) return;
    }
    if (at < text.length) this.#rest += text.slice(at);
    if (this.#rest.length + this.#lines.length > LONGEST_REPLY)
      this.#listener.onMalformed('The reply is too long');
  }

  #onLine(line: string): void {
    // Some servers send an empty line, which is not a reply.
    if (line === '' && this.#lines === '') return;
    const code = line.slice(0, 3);
    if (!REPLY_LINE.test(line) || (this.#lines !== '' && code !== this.#code)) {
      this.#listener.onMalformed(`Expected a reply: ${line.slice(0, 200)}`);
      return;
    }
    if (line.charAt(3) === '-') {
      this.#code = code;
      this.#lines += `${line}\n`;
      this.#listener.onContinuation();
      return;
    }
    const text = this.#lines + line;
    this.#lines = '';
    this.#listener.onReply(Number(code), text);
  }
}
