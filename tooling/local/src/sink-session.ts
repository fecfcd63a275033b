import type { Socket } from 'node:net';

/** Steps at which a sink can be told what to say. */
export type ScriptedStep = 'mail' | 'rcpt' | 'data' | 'end';

/** The sink as a session uses it: decides about recipients and stores messages. */
export interface SinkHost {
  /** Host name of the greeting. */
  name: string;
  acceptsAuth(): boolean;
  /** Whether it offers 8BITMIME (RFC 6152). */
  takesEightBit(): boolean;
  /** What is to be said at this step instead of the usual reply. */
  scripted(step: ScriptedStep, addresses: readonly string[]): string | undefined;
  /** A reply that refuses the recipient, or undefined to accept it. */
  refuse(recipient: string): string | undefined;
  /** Stores the message and returns how to reply. */
  receive(from: string, to: string[], content: Buffer): Verdict;
}

export interface Verdict {
  /** Reply after the final dot; undefined drops the connection instead. */
  reply: string | undefined;
  delayMs: number;
}

const CRLF = Buffer.from('\r\n');
const EXTENSIONS = ['PIPELINING', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', 'AUTH PLAIN LOGIN'];
const END = Buffer.from('\r\n.\r\n');

/**
 * One SMTP connection of the sink (RFC 5321 with PIPELINING, RFC 2920). It answers all commands of one chunk in one
 * write, which makes it cheap enough for measuring senders.
 */
export function serveSession(socket: Socket, host: SinkHost): void {
  let mode: 'command' | 'data' | 'user' | 'password' | 'plain' | 'waiting' = 'command';
  let rest: Buffer = Buffer.alloc(0);
  let content: Buffer[] = [];
  // The end mark may be split over chunks, so each one is searched together with the last bytes before it.
  let seam: Buffer = CRLF;
  let from = '';
  let to: string[] = [];
  let replies = '';

  const say = (line: string) => {
    replies += `${line}\r\n`;
  };
  /** Says a scripted reply, if there is one; 421 ends the session (RFC 5321, 3.8). */
  const sayScripted = (step: ScriptedStep, addresses: readonly string[]): boolean => {
    const reply = host.scripted(step, addresses);
    if (reply === undefined) return false;
    say(reply);
    if (reply.startsWith('421')) {
      flush();
      socket.end();
      mode = 'waiting';
    }
    return true;
  };
  const flush = () => {
    if (replies !== '' && socket.writable) socket.write(replies, 'latin1');
    replies = '';
  };
  const reset = () => {
    from = '';
    to = [];
    content = [];
  };

  const work = () => {
    while (mode !== 'waiting' && !socket.destroyed) {
      const advanced = mode === 'data' ? takeContent() : takeLine();
      if (!advanced) break;
    }
    flush();
  };

  const takeLine = (): boolean => {
    const end = rest.indexOf(CRLF);
    if (end === -1) return false;
    const line = rest.toString('utf8', 0, end);
    rest = rest.subarray(end + 2);
    if (mode === 'command') command(line);
    else authenticate(line);
    return true;
  };

  const takeContent = (): boolean => {
    if (rest.length === 0) return false;
    const window = Buffer.concat([seam, rest]);
    const found = window.indexOf(END);
    content.push(rest);
    if (found === -1) {
      seam = window.subarray(-4);
      rest = Buffer.alloc(0);
      return false;
    }
    const whole = content.length === 1 ? rest : Buffer.concat(content);
    const length = whole.length - rest.length + found + 2 - seam.length;
    rest = rest.subarray(found + END.length - seam.length);
    finish(whole.subarray(0, Math.max(0, length)));
    return true;
  };

  const finish = (message: Buffer) => {
    mode = 'command';
    if (sayScripted('end', to)) return reset();
    const verdict = host.receive(from, to, message);
    reset();
    mode = 'command';
    if (verdict.delayMs === 0) return conclude(verdict);
    mode = 'waiting';
    flush();
    setTimeout(() => {
      mode = 'command';
      conclude(verdict);
      work();
    }, verdict.delayMs);
  };

  const conclude = (verdict: Verdict) => {
    if (verdict.reply !== undefined) return say(verdict.reply);
    flush();
    socket.destroy();
  };

  const command = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'MAIL') {
      reset();
      from = address(line);
      if (sayScripted('mail', [from])) return;
      return say('250 2.1.0 Ok');
    }
    if (verb === 'RCPT') {
      const recipient = address(line);
      if (sayScripted('rcpt', [recipient])) return;
      const refusal = host.refuse(recipient);
      if (refusal !== undefined) return say(refusal);
      to.push(recipient);
      return say('250 2.1.5 Ok');
    }
    if (verb === 'DATA') {
      if (to.length === 0) return say('554 5.5.1 No valid recipients');
      if (sayScripted('data', to)) return;
      mode = 'data';
      seam = CRLF;
      return say('354 Go ahead');
    }
    if (verb === 'EHLO') {
      const eightBit = host.takesEightBit() ? ['8BITMIME'] : [];
      for (const line of [host.name, ...eightBit, ...EXTENSIONS]) say(`250-${line}`);
      return say('250 SIZE 104857600');
    }
    if (verb === 'HELO') return say(`250 ${host.name}`);
    if (verb === 'RSET') {
      reset();
      return say('250 2.0.0 Ok');
    }
    if (verb === 'NOOP') return say('250 2.0.0 Ok');
    if (verb === 'AUTH') return startAuth(line);
    if (verb === 'QUIT') {
      say('221 2.0.0 Bye');
      flush();
      return void socket.end();
    }
    say('502 5.5.1 Command not known');
  };

  const startAuth = (line: string) => {
    const [, method, initial] = line.split(' ');
    if (!host.acceptsAuth()) return say('535 5.7.8 Authentication failed');
    if (method?.toUpperCase() === 'PLAIN') {
      if (initial !== undefined) return say('235 2.7.0 Authenticated');
      mode = 'plain';
      return say('334 ');
    }
    mode = initial === undefined ? 'user' : 'password';
    say(initial === undefined ? '334 VXNlcm5hbWU6' : '334 UGFzc3dvcmQ6');
  };

  const authenticate = (_secret: string) => {
    if (mode === 'user') {
      mode = 'password';
      return say('334 UGFzc3dvcmQ6');
    }
    mode = 'command';
    say('235 2.7.0 Authenticated');
  };

  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    work();
  });
  // Tests kill senders on purpose, so a reset connection is expected.
  socket.on('error', () => socket.destroy());
  socket.setNoDelay(true);
  say(`220 ${host.name} ESMTP`);
  flush();
}

function address(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}
