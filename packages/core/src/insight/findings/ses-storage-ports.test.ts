import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startS3Server } from '../../adapters/files/s3-server.fixture.ts';
import { type SesStandIn, startSesStandIn } from '../../testing/ses-stand-in.ts';
import { examineWith, findingOf } from './examined.fixture.ts';
import { portsChecks } from './ports.checks.ts';
import { sesChecks } from './ses.checks.ts';
import { storageChecks } from './storage.checks.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
  vi.unstubAllEnvs();
});

describe('the account of Amazon SES', () => {
  let ses: SesStandIn;
  beforeEach(async () => {
    ses = await startSesStandIn();
    cleanUp.push(() => ses.close());
    vi.stubEnv('AWS_ENDPOINT_URL_SESV2', ses.url);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-of-aws');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/missing');
    vi.stubEnv('AWS_CONFIG_FILE', '/missing');
  });
  const look = async () =>
    findingOf(
      await examineWith(sesChecks, { MAIL_TRANSPORT: 'ses', AWS_REGION: 'eu-central-1' }),
      'ses.account',
    );

  it.each([
    [{}, 'ok', /may send/],
    [{ SendingEnabled: false }, 'failure', /disabled/],
    [{ ProductionAccessEnabled: false }, 'warning', /sandbox/],
    [{ Max24HourSend: 100, SentLast24Hours: 85 }, 'warning', /85 % of the quota/],
    [{ Max24HourSend: 100, SentLast24Hours: 100 }, 'failure', /100 % of the quota/],
    [{ refused: 'AccessDeniedException' }, 'failure', /cannot be read/],
  ])('%o: %s', async (account, verdict, text) => {
    ses.account = account;
    expect(await look()).toMatchObject({ verdict, found: expect.stringMatching(text) });
  });

  it('without credentials', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
    expect(await look()).toMatchObject({
      verdict: 'failure',
      found: expect.stringContaining('no credentials'),
    });
  });

  it('that does not answer', async () => {
    await ses.close();
    expect(await look()).toMatchObject({
      verdict: 'failure',
      found: expect.stringContaining('does not answer'),
    });
  });

  it('is not looked at with another provider', async () => {
    expect(await examineWith(sesChecks, {})).toMatchObject([{ verdict: 'ok' }]);
  });
});

describe('storage', () => {
  const files = async (env: Record<string, string>, free = 0.5) =>
    findingOf(await examineWith(storageChecks, env, { freeShare: async () => free }), 'storage.files');

  async function folder() {
    const path = await mkdtemp(join(tmpdir(), 'postrider-doctor-'));
    cleanUp.push(() => rm(path, { recursive: true, force: true }));
    return path;
  }

  it('on disk is writable, also before the folder was made', async () => {
    expect(await files({ DATA_DIR: join(await folder(), 'later') })).toMatchObject({ verdict: 'ok' });
  });

  it('on disk is below a file', async () => {
    expect(await files({ DATA_DIR: join(import.meta.filename, 'data') })).toMatchObject({
      verdict: 'failure',
      found: expect.stringContaining('ENOTDIR'),
    });
  });

  it.skipIf(process.getuid?.() === 0)('on disk belongs to another user', async () => {
    const path = await folder();
    await chmod(path, 0o500);
    expect(await files({ DATA_DIR: path })).toMatchObject({ verdict: 'failure' });
  });

  it('on a disk that is almost full', async () => {
    expect(await files({ DATA_DIR: await folder() }, 0.01)).toMatchObject({
      verdict: 'failure',
      found: expect.stringContaining('1.0 %'),
    });
  });

  it.each([
    [200, 'ok'],
    [403, 'failure'],
    [404, 'failure'],
  ])('in a bucket that answers %s: %s', async (status, verdict) => {
    const s3 = await startS3Server();
    cleanUp.push(() => s3.close());
    s3.answers.push({ status, body: '' });
    const finding = await files({
      ...{ S3_BUCKET: 'images', S3_ENDPOINT: s3.url, S3_FORCE_PATH_STYLE: 'true', S3_REGION: 'eu-central-1' },
      ...{ S3_ACCESS_KEY_ID: 'AKIDEXAMPLE', S3_SECRET_ACCESS_KEY: 'secret-of-bucket' },
    });
    expect(finding).toMatchObject({ verdict });
    expect(s3.requests.map(({ method }) => method)).toEqual(['HEAD']);
  });
});

describe('ports', () => {
  async function listening(server: Server): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    cleanUp.push(() => server.close());
    return String((server.address() as AddressInfo).port);
  }
  const speaking = (text: string): Promise<string> =>
    listening(createServer((socket) => socket.on('error', () => undefined).end(`${text}\r\n`)));
  const answering = (body: string): Promise<string> =>
    listening(createHttpServer((_, response) => response.setHeader('connection', 'close').end(body)));
  const taken = async (env: Record<string, string>) =>
    (await examineWith(portsChecks, { HOST: '127.0.0.1', ...env })).filter(
      ({ check }) => check === 'ports.taken',
    );

  it('that are free, or ours, are sound', async () => {
    const ours = {
      PORT: await answering('{"status":"ok"}'),
      SUBMISSION_PORT: await speaking('220 mail.example ESMTP Postrider submission'),
      BOUNCE_PORT: '1',
    };
    expect(await taken(ours)).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'ok' },
      { verdict: 'ok', found: 'free' },
    ]);
  });

  it('that others have taken', async () => {
    const others = {
      PORT: await answering('<html>'),
      SUBMISSION_PORT: await speaking('220 mail.example ESMTP Postfix'),
      BOUNCE_PORT: await speaking('SSH-2.0-OpenSSH'),
    };
    expect(await taken(others)).toMatchObject(
      Object.entries(others).map(([name, port]) => ({ verdict: 'failure', subject: `${name} ${port}` })),
    );
  });

  it('that two variables name', async () => {
    const findings = await examineWith(portsChecks, {
      BOUNCE_PORT: '2525',
      SUBMISSION_PORT: '2525',
      PORT: '1',
    });
    expect(findingOf(findings, 'ports.twice')).toMatchObject({
      verdict: 'failure',
      found: expect.stringContaining('SUBMISSION_PORT and BOUNCE_PORT'),
    });
  });
});
