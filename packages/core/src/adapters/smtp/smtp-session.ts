import SMTPConnection, { type SMTPError } from 'nodemailer/lib/smtp-connection';
import type { OutgoingMessage, RouteFailed } from '../../kernel/ports/mail-transport.ts';
import { type Handed, handOver } from './hand-over.ts';
import { routeFailure } from './reply.ts';
import type { SmtpServer } from './smtp-url.ts';

/** How long to wait for the reply to QUIT, in milliseconds; nothing depends on it. */
const QUIT_TIMEOUT_MS = 1_000;

/** A connection that has been greeted, secured and logged in, used for one message at a time. */
export interface SmtpSession {
  /** Messages transferred so far. */
  readonly handled: number;
  handOver(message: OutgoingMessage): Promise<Handed>;
  /** Resets the session after a refusal (RSET); false when it is lost. */
  reset(): Promise<boolean>;
  /** Sends QUIT and resolves once the connection is closed. */
  quit(): Promise<void>;
}

/** Connects, reads the greeting, upgrades to TLS where offered or required, and authenticates where the server offers it. Never rejects. */
export function openSession({ connection: options, auth }: SmtpServer): Promise<SmtpSession | RouteFailed> {
  return new Promise((resolve) => {
    const connection = new SMTPConnection(options);
    const fail = (error: SMTPError) => {
      // Before closing, which calls this again with a less specific error.
      resolve(routeFailure(error, connection.upgrading === true));
      connection.close();
    };
    // The listener stays for the life of the connection: what happens later also reaches `handOver`.
    connection.on('error', fail);
    connection.once('end', () => fail(new Error('Connection closed unexpectedly')));
    connection.connect((error) => {
      if (error) return fail(Object.assign(error, { code: 'EPROTOCOL' }));
      if (!auth || !connection.allowsAuth) return resolve(sessionOver(connection));
      connection.login({ ...auth }, (refused) =>
        refused ? fail(refused) : resolve(sessionOver(connection)),
      );
    });
  });
}

function sessionOver(connection: SMTPConnection): SmtpSession {
  let handled = 0;
  const closed = new Promise<void>((resolve) => connection.once('end', resolve));
  return {
    get handled() {
      return handled;
    },
    handOver(message) {
      handled += 1;
      return handOver(connection, message);
    },
    reset() {
      return new Promise((resolve) => {
        void closed.then(() => resolve(false));
        connection.reset((error) => {
          if (error) connection.close();
          resolve(!error);
        });
      });
    },
    async quit() {
      const timer = setTimeout(() => connection.close(), QUIT_TIMEOUT_MS);
      connection.quit();
      await closed;
      clearTimeout(timer);
    },
  };
}
