import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailboxStore } from './mailbox-store.ts';

const MAX_BYTES = 100 * 1024 * 1024;

export interface MailboxSmtp {
  port: number;
  stop(): Promise<void>;
}

/** Accepts every email for any recipient, with or without authentication, and answers 250 only when it is stored. */
export async function startMailboxSmtp(
  store: MailboxStore,
  host: string,
  port: number,
): Promise<MailboxSmtp> {
  const server = new SMTPServer({
    name: 'mailbox.localhost',
    banner: 'Postrider mailbox',
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: MAX_BYTES,
    closeTimeout: 1_000,
    onAuth: (_auth, _session, callback) => callback(null, { user: 'anyone' }),
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        // Read past the limit so that the sender gets the reply, but do not keep data that will be refused.
        if (!stream.sizeExceeded) chunks.push(chunk);
      });
      stream.once('end', () => {
        if (stream.sizeExceeded) return callback(refusal(552, 'Message is too big'));
        const { mailFrom, rcptTo } = session.envelope;
        store
          .add({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map((recipient) => recipient.address),
            raw: Buffer.concat(chunks),
          })
          .then(
            () => callback(null),
            (error: unknown) =>
              callback(refusal(451, `The mailbox cannot store the message: ${String(error)}`)),
          );
      });
    },
  });
  // Tests kill senders on purpose; a broken connection must not affect the others.
  server.on('error', (error) => console.error(`mailbox: ${error.message}`));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
