import { connect, type Socket } from 'node:net';

/** One connection to an SMTP server, a command at a time. */
export class SmtpClient {
  readonly #socket: Socket;
  readonly #replies: string[] = [];
  #buffer = '';
  #lines: string[] = [];
  #notify = (): void => undefined;
  isClosed = false;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (data) => {
      const all = (this.#buffer + String(data)).split('\r\n');
      this.#buffer = all.pop() ?? '';
      for (const line of all) {
        this.#lines.push(line);
        if (!/^\d{3} /.test(line)) continue;
        this.#replies.push(this.#lines.join('\n'));
        this.#lines = [];
      }
      this.#notify();
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#notify();
    });
  }

  /** The next reply with all of its lines; '' when the connection has ended. */
  async reply(): Promise<string> {
    for (;;) {
      const next = this.#replies.shift();
      if (next !== undefined) return next;
      if (this.isClosed) return '';
      await new Promise<void>((resolve) => {
        this.#notify = resolve;
      });
    }
  }

  async say(command: string): Promise<string> {
    this.#socket.write(`${command}\r\n`);
    return this.reply();
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  end(): void {
    this.#socket.destroy();
  }
}
