import { randomUUID, sign } from 'node:crypto';
import { createServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { OutgoingHttp } from '../base/kernel/index.ts';
import { makeCertificate, type TestCertificate } from './certificates.ts';

const host = 'sns.eu-central-1.amazonaws.com';

export type SnsFields = Record<string, string | undefined>;

export interface SnsStandIn {
  /** reaches the stand-in at every host, and checks its TLS certificate against that host */
  http: OutgoingHttp;
  /** the URLs that were asked for */
  asked: string[];
  certificateUrl: string;
  /** the files that it serves, by path; a text is answered with 200 */
  files: Map<string, string | number>;
  /** The body of a signed message; `fields` replace or, if undefined, remove those of a notification. */
  signed(fields: SnsFields, options?: { version?: '1' | '2'; by?: TestCertificate }): string;
  close(): Promise<void>;
}

/** The signing fields of each type, as Amazon documents them, for a second opinion on those of the product. */
const signedFields = (type: string | undefined): string[] =>
  type === 'Notification'
    ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
    : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** Amazon SNS on loopback: serves a signing certificate over TLS, and signs messages with its key. */
export async function startSnsStandIn(): Promise<SnsStandIn> {
  const server = makeCertificate({ name: 'stand-in', hosts: [host] });
  const signer = makeCertificate({ name: 'sns.amazonaws.com' });
  const asked: string[] = [];
  const files = new Map<string, string | number>([['/SimpleNotificationService-test.pem', signer.pem]]);
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const listener = createServer({ key, cert: server.pem }, (request, response) => {
    const url = new URL(request.url ?? '/', `https://${request.headers.host}`);
    asked.push(url.href);
    const file = files.get(url.pathname) ?? 404;
    if (file === 302) response.setHeader('location', `https://${host}/SimpleNotificationService-test.pem`);
    response.writeHead(typeof file === 'number' ? file : 200).end(typeof file === 'number' ? '' : file);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    asked,
    files,
    certificateUrl: `https://${host}/SimpleNotificationService-test.pem`,
    http: {
      send: ({ method, url }) => ask({ method, url: new URL(url), port, ca: server.pem }),
      mayReach: () => true,
    },
    signed(fields, { version = '2', by = signer } = {}) {
      const message: SnsFields = {
        Type: 'Notification',
        MessageId: randomUUID(),
        TopicArn: 'arn:aws:sns:eu-central-1:123456789012:mail',
        Message: '{}',
        Timestamp: new Date().toISOString(),
        SignatureVersion: version,
        SigningCertURL: `https://${host}/SimpleNotificationService-test.pem`,
        ...fields,
      };
      const lines = signedFields(message['Type'])
        .filter((name) => message[name] !== undefined)
        .map((name) => `${name}\n${message[name]}\n`);
      const Signature = sign(
        version === '1' ? 'sha1' : 'sha256',
        Buffer.from(lines.join('')),
        by.privateKey,
      ).toString('base64');
      return JSON.stringify({ ...message, Signature, ...('Signature' in fields && fields) });
    },
    async close() {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

interface Question {
  method: string;
  url: URL;
  port: number;
  ca: string;
}

function ask({ method, url, port, ca }: Question): ReturnType<OutgoingHttp['send']> {
  return new Promise((resolve) => {
    httpsRequest(
      {
        method,
        host: '127.0.0.1',
        port,
        path: url.pathname + url.search,
        servername: url.hostname,
        ca,
        agent: false,
        headers: { host: url.host },
      },
      (response) => {
        void text(response).then((body) =>
          resolve({ kind: 'answer', status: response.statusCode ?? 0, body, isCut: false }),
        );
      },
    )
      .on('error', (error) => resolve({ kind: 'failed', reason: error.message }))
      .end();
  });
}
