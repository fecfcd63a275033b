import { createServer, type Server, type Socket } from 'node:net';

/** Verbs of a session as the script sees them; `greeting` is the connection itself, `body` a piece of the message, `dot` its end. */
export type Step =
  | 'greeting'
  | 'ehlo'
  | 'auth'
  | 'starttls'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'body'
  | 'dot'
  | 'rset'
  | 'noop'
  | 'quit';

export interface Moment {
  /** The command line, without its line end. */
  line: string;
  /** Number of the connection, from 1. */
  connection: number;
  /** How many MAIL commands the connection has seen, this one included. */
  mail: number;
  socket: Socket;
  /** The recipient of the present message. */
  to: string;
  /** Bytes of the present message seen so far. */
  bodyBytes: number;
}

/** Answers of the server: a text is written with its line end, null is silence, nothing said is the usual positive reply. */
export type Script = { [step in Step]?: (moment: Moment) => string | null | undefined } & {
  extensions?: string[];
  /** How replies leave, when not at once. */
  transmit?: (socket: Socket, text: string) => void;
};

export interface ReceivedMessage {
  from: string;
  to: string;
  /** The message with doubled dots made single again, without the end of data. */
  data: Buffer;
}

export interface ScriptedServer {
  url: string;
  /** What happened, in order: `1 mail`, `1 rcpt`, …; tests may add their own entries. */
  log: string[];
  /** What arrived, as the network delivered it, one character per byte: `1 MAIL FROM…`. */
  chunks: string[];
  /** Messages whose final dot arrived. */
  received: ReceivedMessage[];
  connections: number;
  /** Connections open now, and the most that were open at once. */
  open: number;
  mostOpen: number;
  /** Resolves when a connection ends (closed by either side), at once when one has ended already. */
  ended(): Promise<void>;
  close(): Promise<void>;
}

const USUAL: { [step in Step]: string | null } = {
  greeting: '220 scripted',
  ehlo: null,
  auth: '235 2.7.0 welcome',
  starttls: '454 4.7.0 TLS is not available',
  mail: '250 2.1.0 sender ok',
  rcpt: '250 2.1.5 recipient ok',
  data: '354 go ahead',
  body: null,
  dot: '250 2.0.0 queued',
  rset: '250 2.0.0 reset',
  noop: '250 2.0.0 ok',
  quit: '221 2.0.0 bye',
};

/** A real SMTP server over TCP that follows the script at each step, and records what it receives. */
export async function startScriptedServer(script: Script = {}): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  let markEnded = () => {};
  const ended = new Promise<void>((resolve) => {
    markEnded = resolve;
  });
  const listener = createServer({ noDelay: true }, (socket) => {
    server.connections += 1;
    server.open += 1;
    server.mostOpen = Math.max(server.mostOpen, server.open);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      server.open -= 1;
      server.log.push(`${conversation.number} closed`);
      markEnded();
    });
    const conversation = new Conversation(server.connections, socket, script, server);
    conversation.begin();
  });
  const server: ScriptedServer = {
    url: '',
    log: [],
    chunks: [],
    received: [],
    connections: 0,
    open: 0,
    mostOpen: 0,
    ended: () => ended,
    close: () => stop(listener, sockets),
  };
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The scripted server has no port');
  server.url = `smtp://127.0.0.1:${address.port}`;
  return server;
}

function stop(listener: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => listener.close(() => resolve()));
}

const END_OF_DATA = '\r\n.\r\n';

class Conversation {
  readonly number: number;
  readonly #socket: Socket;
  readonly #script: Script;
  readonly #server: ScriptedServer;
  #pending = '';
  /** Pieces of a message whose end has not arrived; the last one may end with the first characters of the end. */
  #body: string[] = [];
  #inData = false;
  #mail = 0;
  #from = '';
  #to = '';
  #bodyBytes = 0;

  constructor(number: number, socket: Socket, script: Script, server: ScriptedServer) {
    this.number = number;
    this.#socket = socket;
    this.#script = script;
    this.#server = server;
  }

  begin(): void {
    this.#say('greeting', '');
    this.#socket.on('data', (chunk) => {
      // Latin-1 keeps every byte, so that what is received can be compared byte by byte.
      const text = chunk.toString('latin1');
      this.#server.chunks.push(`${this.number} ${text}`);
      this.#pending += text;
      if (this.#inData) this.#onBody(chunk.length);
      while (this.#inData ? this.#takeMessage() : this.#takeCommand());
    });
  }

  #takeCommand(): boolean {
    const end = this.#pending.indexOf('\r\n');
    if (end === -1) return false;
    const line = this.#pending.slice(0, end);
    this.#pending = this.#pending.slice(end + 2);
    this.#run(line);
    return true;
  }

  #run(line: string): void {
    const verb = line.slice(0, 4).toLowerCase();
    if (verb === 'mail') {
      this.#mail += 1;
      this.#from = address(line);
    }
    if (verb === 'rcpt') this.#to = address(line);
    if (verb === 'ehlo') {
      this.#greet(line);
      return;
    }
    const steps: Record<string, Step> = {
      mail: 'mail',
      rcpt: 'rcpt',
      data: 'data',
      rset: 'rset',
      noop: 'noop',
      quit: 'quit',
    };
    const step = steps[verb] ?? (verb === 'auth' ? 'auth' : 'starttls');
    const reply = this.#say(step, line);
    if (step === 'data' && reply && /^354/m.test(reply)) {
      this.#inData = true;
      this.#bodyBytes = 0;
      // The line end of the command that preceded the message counts as the one before a leading dot (RFC 5321, 4.1.1.4).
      this.#pending = `\r\n${this.#pending}`;
    }
    if (step === 'quit' && reply && !this.#script.transmit) this.#socket.end();
  }

  #greet(line: string): void {
    if (this.#script.ehlo) {
      this.#say('ehlo', line);
      return;
    }
    this.#server.log.push(`${this.number} ehlo`);
    const lines = ['scripted', ...(this.#script.extensions ?? [])];
    this.#write(lines.map((text, i) => `250${i === lines.length - 1 ? ' ' : '-'}${text}\r\n`).join(''));
  }

  #onBody(bytes: number): void {
    this.#bodyBytes += bytes;
    const reply = this.#script.body?.(this.#moment(''));
    if (reply) this.#write(`${reply}\r\n`);
  }

  #takeMessage(): boolean {
    const end = this.#pending.indexOf(END_OF_DATA);
    if (end === -1) {
      this.#body.push(this.#pending.slice(0, -4));
      this.#pending = this.#pending.slice(-4);
      return false;
    }
    this.#inData = false;
    const whole = this.#body.join('') + this.#pending.slice(0, end + 2);
    this.#body = [];
    this.#pending = this.#pending.slice(end + END_OF_DATA.length);
    const text = whole.replaceAll('\r\n..', '\r\n.').slice(2);
    this.#server.received.push({ from: this.#from, to: this.#to, data: Buffer.from(text, 'latin1') });
    this.#say('dot', '.');
    return true;
  }

  #say(step: Step, line: string): string | null {
    this.#server.log.push(`${this.number} ${step}`);
    const scripted = this.#script[step]?.(this.#moment(line));
    const reply = scripted === undefined ? USUAL[step] : scripted;
    if (reply !== null) this.#write(`${reply}\r\n`);
    return reply;
  }

  #write(text: string): void {
    if (!this.#socket.writable) return;
    if (this.#script.transmit) this.#script.transmit(this.#socket, text);
    else this.#socket.write(text);
  }

  #moment(line: string): Moment {
    return {
      line,
      connection: this.number,
      mail: this.#mail,
      socket: this.#socket,
      to: this.#to,
      bodyBytes: this.#bodyBytes,
    };
  }
}

function address(line: string): string {
  return /<(.*)>/.exec(line)?.[1] ?? '';
}
