import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import SMTPConnection, { type Envelope, type SMTPError } from 'nodemailer/lib/smtp-connection';
import { afterEach, describe, expect, it } from 'vitest';
import { type Script, startScriptedServer } from './scripted-server.fixture.ts';

/**
 * The parts of nodemailer that are not its public API and that delivery depends on (decision 014). A failure here means that
 * nodemailer changed inside: read `hand-over.ts` and `smtp-session.ts` against the new version before raising the pin.
 */
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function connect(script: Script): Promise<SMTPConnection> {
  const server = await startScriptedServer(script);
  cleanUp.push(server.close);
  const { hostname, port } = new URL(server.url);
  const connection = new SMTPConnection({ host: hostname, port: Number(port) });
  connection.on('error', () => {});
  cleanUp.push(() => connection.close());
  await new Promise<void>((resolve, reject) =>
    connection.connect((error) => (error ? reject(error) : resolve())),
  );
  return connection;
}

/** Starts a message; resolves with what `pipe` of the message saw, or with the error that ended the envelope. */
function begin(connection: SMTPConnection, envelope: Envelope) {
  return new Promise<{ stream?: Transform; reply?: string | false; error?: SMTPError }>((resolve) => {
    const body = {
      pipe: (stream: Transform) => resolve({ stream, reply: connection.lastServerResponse ?? false }),
    };
    connection.send(envelope, body as unknown as Readable, (error) => {
      if (error) resolve({ error });
    });
  });
}

describe.each([{ extensions: [] }, { extensions: ['PIPELINING'] }])('with $extensions', ({ extensions }) => {
  it('an open connection exposes its socket and is not upgrading', async () => {
    const connection = await connect({ extensions });

    expect(connection._socket).toBeInstanceOf(Socket);
    expect(connection.upgrading).not.toBe(true);
  });

  it('the message is only piped, and only once the 354 has been read', async () => {
    const connection = await connect({ extensions });
    connection.lastServerResponse = false;

    const { stream, reply } = await begin(connection, { from: 'a@example.com', to: ['b@example.com'] });

    expect(reply).toMatch(/^354/);
    expect(stream?.unpipe).toBeTypeOf('function');
  });

  it('a refused sender is recorded on the envelope as mailError', async () => {
    const connection = await connect({ extensions, mail: () => '550 5.7.1 no' });
    const envelope: Envelope & { mailError?: SMTPError } = { from: 'a@example.com', to: ['b@example.com'] };

    const { error } = await begin(connection, envelope);

    expect(error?.code).toBe('EENVELOPE');
    expect(envelope.mailError?.responseCode).toBe(550);
  });

  it('a refused recipient is recorded on the envelope as rejectedErrors', async () => {
    const connection = await connect({ extensions, rcpt: () => '550 5.1.1 no such user' });
    const envelope: Envelope & { accepted?: string[]; rejectedErrors?: SMTPError[] } = {
      from: 'a@example.com',
      to: ['b@example.com'],
    };

    const { error } = await begin(connection, envelope);

    expect(error?.code).toBe('EENVELOPE');
    expect(envelope.accepted).toEqual([]);
    expect(envelope.rejectedErrors?.[0]?.responseCode).toBe(550);
  });
});

it('nodemailer is pinned to one exact version, and that version is installed', async () => {
  const root = new URL('../../../../../package.json', import.meta.url);
  const pinned = (JSON.parse(await readFile(root, 'utf8')) as { dependencies: Record<string, string> })
    .dependencies.nodemailer;
  const installed = createRequire(import.meta.url)('nodemailer/package.json') as { version: string };

  expect(pinned).toBe(installed.version);
});
