import { Socket } from 'node:net';
import SMTPConnection, { type SMTPError } from 'nodemailer/lib/smtp-connection';
import type { RouteFailed } from '../../base/kernel/ports/mail-transport.ts';
import { routeFailure } from './reply.ts';
import type { SmtpServer } from './smtp-url.ts';

/** A connection that has been greeted, secured and logged in. The caller owns the socket. */
export interface SmtpSession {
  socket: Socket;
  pipelining: boolean;
  smtpUtf8: boolean;
  eightBit: boolean;
  authenticated: boolean;
  /** Passes on what the server sends, one character per byte. Called once. */
  listen(onText: (text: string) => void): void;
}

/** Parts of nodemailer that its types do not name (decision 014). */
type Internals = SMTPConnection & {
  _supportedExtensions: string[];
  _onSocketData: () => void;
  _onSocketError: () => void;
  _onSocketClose: () => void;
  _onSocketEnd: () => void;
  _onSocketTimeout: () => void;
};

/**
 * Connects, reads the greeting, upgrades to TLS where offered or required, and authenticates when the URL has
 * credentials. Calls `opened` once.
 */
export function openSession(
  { connection: options, auth }: SmtpServer,
  opened: (session: SmtpSession | RouteFailed) => void,
): void {
  const plain = options.secure || options.localAddress ? null : new PlainSocket();
  const connection = new SMTPConnection({
    ...options,
    ...(plain && { socket: plain.socket }),
  }) as Internals;
  let done = false;
  const fail = (error: SMTPError) => {
    const first = !done;
    done = true;
    const failure = routeFailure(error, connection.upgrading === true);
    // Calls this again, with a less specific error.
    connection.close();
    if (first) opened(failure);
  };
  // The listener stays: a second reply to EHLO or AUTH ends the connection also after it was taken over.
  connection.on('error', fail);
  connection.once('end', () => fail(new Error('Connection closed unexpectedly')));
  connection.connect((error) => {
    if (error) return fail(Object.assign(error, { code: 'EPROTOCOL' }));
    const established = () => {
      done = true;
      opened(takeOver(connection, plain));
    };
    if (!auth) return established();
    // A session without the login that the operator asked for would have its recipients refused for good.
    if (!connection.allowsAuth) return fail(loginNotOffered());
    connection.login({ ...auth }, (refused) => (refused ? fail(refused) : established()));
  });
}

function loginNotOffered(): SMTPError {
  const text = 'SMTP_URL has a user and a password, but the mail server does not offer a login (AUTH)';
  return Object.assign(new Error(text), { code: 'EAUTH' });
}

/** Takes the socket from nodemailer, which keeps no listener and no timer on it. */
function takeOver(connection: Internals, plain: PlainSocket | null): SmtpSession {
  const socket = connection._socket;
  if (!socket) throw new Error('nodemailer opened a session without a socket');
  socket.setTimeout(0);
  socket.off('data', connection._onSocketData);
  socket.off('error', connection._onSocketError);
  socket.off('close', connection._onSocketClose);
  socket.off('end', connection._onSocketEnd);
  socket.off('timeout', connection._onSocketTimeout);
  const extensions = connection._supportedExtensions;
  return {
    socket,
    pipelining: extensions.includes('PIPELINING'),
    smtpUtf8: extensions.includes('SMTPUTF8'),
    eightBit: extensions.includes('8BITMIME'),
    authenticated: connection.authenticated,
    listen(onText) {
      if (plain?.socket === socket) plain.onText = onText;
      else socket.setEncoding('latin1').on('data', onText);
    },
  };
}

/** Reads of all sockets without TLS; each read is used up before the next. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** A socket that reads into one shared buffer, which costs less than reading through a stream. */
class PlainSocket {
  readonly socket: Socket;
  /** While nodemailer reads, it gets what arrives as the event of a stream; so does TLS after STARTTLS, without this. */
  onText: ((text: string) => void) | null = null;

  constructor() {
    this.socket = new Socket({
      onread: {
        buffer: readBuffer,
        callback: (bytes) => {
          if (this.onText) this.onText(readBuffer.toString('latin1', 0, bytes));
          else this.socket.emit('data', Buffer.from(readBuffer.subarray(0, bytes)));
          return true;
        },
      },
    });
  }
}
