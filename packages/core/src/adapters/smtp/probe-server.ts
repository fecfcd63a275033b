import type { HandOver } from '../../base/kernel/ports/mail-transport.ts';
import { ReplyReader } from './reply-reader.ts';
import { openSession } from './smtp-session.ts';
import type { SmtpServer } from './smtp-url.ts';

const ANSWER_TIMEOUT_MS = 10_000;

/** A session without a message: connects, secures it, logs in, and asks for a reply (NOOP). */
export function probeServer(server: SmtpServer): Promise<HandOver> {
  return new Promise((resolve) => {
    openSession(server, (session) => {
      if ('kind' in session) {
        resolve(session);
        return;
      }
      const { socket } = session;
      const fail = (error: string): void =>
        end({ kind: 'route', error, reason: 'unavailable', code: null, othersWork: false });
      const timer = setTimeout(() => fail('No reply to NOOP'), ANSWER_TIMEOUT_MS);
      const end = (result: HandOver): void => {
        clearTimeout(timer);
        resolve(result);
        socket.end('QUIT\r\n');
        socket.setTimeout(1_000, () => socket.destroy());
      };
      const reader = new ReplyReader({
        closed: false,
        onReply: (code, response) => {
          // A server that does not know the command works as well.
          if (code < 400 || code >= 500) end({ kind: 'accepted', response });
          else fail(response);
        },
        onContinuation: () => undefined,
        onMalformed: fail,
      });
      socket.on('error', (error) => fail(error.message));
      socket.on('close', () => fail('Connection closed unexpectedly'));
      session.listen((text) => reader.feed(text));
      socket.write('NOOP\r\n');
    });
  });
}
