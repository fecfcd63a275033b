import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HandOver, MailTransport, OutgoingMessage } from '../../base/kernel/ports/mail-transport.ts';
import { type SesRefusal, type SesStandIn, startSesStandIn } from '../../testing/ses-stand-in.ts';
import { assertSesCredentials, createSesTransport } from './index.ts';

const data = Buffer.from('From: a@example.com\r\nX-Postrider-Email: e1\r\n\r\nA line.\r\n');

let ses: SesStandIn;
const open: MailTransport[] = [];
beforeAll(async () => {
  ses = await startSesStandIn();
});
afterAll(() => ses.close());
beforeEach(() => {
  ses.messages.length = 0;
  ses.refusals.length = 0;
  ses.maxSendRate = 1_000;
  ses.account = {};
  vi.stubEnv('AWS_ENDPOINT_URL_SESV2', ses.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
  vi.unstubAllEnvs();
});

function client({ connections = 5, answerTimeoutMs = 5_000 } = {}) {
  const queue: OutgoingMessage[] = [];
  const transport = createSesTransport({
    region: 'eu-central-1',
    connections,
    answerTimeoutMs,
    configurationSet: 'events',
    rateShare: 1,
  });
  open.push(transport);
  transport.serve(() => queue.shift() ?? null);
  return {
    transport,
    send: (granted = true): Promise<HandOver> =>
      new Promise((resolve) => {
        queue.push({
          envelope: { from: 'a@example.com', to: 'to@example.net' },
          emailId: 'e1',
          data,
          begin: (answer) => answer(granted),
          ended: resolve,
        });
        transport.wake();
      }),
  };
}

async function afterRefusal(refusal: SesRefusal): Promise<HandOver> {
  ses.refusals.push(refusal);
  return client({ answerTimeoutMs: 300 }).send();
}

describe('a probe', () => {
  it.each([
    [{}, 'accepted'],
    [{ SendingEnabled: true, Max24HourSend: 200, SentLast24Hours: 199 }, 'accepted'],
    [{ SendingEnabled: true, Max24HourSend: -1, SentLast24Hours: 5 }, 'accepted'],
    [{ SendingEnabled: false }, 'route'],
    [{ SendingEnabled: true, Max24HourSend: 200, SentLast24Hours: 200 }, 'route'],
    [{ refused: 'ExpiredTokenException' }, 'route'],
    // Sending does not need the permission to read the account.
    [{ refused: 'AccessDeniedException' }, 'accepted'],
  ])('reads the account: %o is %s', async (account, kind) => {
    ses.account = account;
    expect(await client().transport.probe(null)).toMatchObject({ kind });
    expect(ses.messages).toEqual([]);
  });
});

describe('a message', () => {
  it('is handed over as it is, signed, with its envelope, its tag and the configuration set', async () => {
    expect(await client().send()).toEqual({ kind: 'accepted', response: 'ses-1', providerId: 'ses-1' });
    expect(ses.messages).toMatchObject([
      {
        to: ['to@example.net'],
        raw: data.toString(),
        tags: { postrider_email: 'e1' },
        configurationSet: 'events',
        headers: {
          authorization: expect.stringMatching(
            /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/ses\//,
          ),
        },
      },
    ]);
  });

  it('is not sent when its beginning is not granted', async () => {
    expect(await client().send(false)).toEqual({ kind: 'withheld' });
    expect(ses.messages).toEqual([]);
  });

  it('is sent by at most as many requests at once as there are connections', async () => {
    const { transport, send } = client({ connections: 3 });
    const results = Array.from({ length: 10 }, () => send());
    expect(transport.free).toBe(0);
    expect((await Promise.all(results)).every(({ kind }) => kind === 'accepted')).toBe(true);
    expect(transport.free).toBe(3);
  });
});

describe('an answer of SES', () => {
  it.each([
    ['MessageRejected', 400],
    ['BadRequestException', 400],
    ['MailFromDomainNotVerifiedException', 400],
  ])('%s refuses the message for good', async (name, status) => {
    expect(await afterRefusal({ status, name, message: 'Address is blacklisted.' })).toMatchObject({
      kind: 'refused',
      permanent: true,
      response: `${name}: Address is blacklisted.`,
    });
  });

  it('InternalServiceErrorException refuses it for now', async () => {
    expect(await afterRefusal({ status: 500, name: 'InternalServiceErrorException' })).toMatchObject({
      kind: 'refused',
      permanent: false,
    });
  });

  it.each([
    ['ExpiredTokenException', 403, 'auth'],
    ['UnrecognizedClientException', 403, 'auth'],
    ['InvalidSignatureException', 403, 'auth'],
    ['AccessDeniedException', 403, 'auth'],
    ['AccountSuspendedException', 400, 'unavailable'],
    ['SendingPausedException', 400, 'unavailable'],
    ['LimitExceededException', 400, 'unavailable'],
    ['NotFoundException', 404, 'unavailable'],
    ['ServiceUnavailable', 503, 'unavailable'],
  ])('%s is a failure of the route', async (name, status, reason) => {
    expect(await afterRefusal({ status, name })).toMatchObject({ kind: 'route', reason, othersWork: false });
  });

  it('that the daily quota is used up is a failure of the route', async () => {
    const refusal = {
      status: 429,
      name: 'TooManyRequestsException',
      message: 'Daily message quota exceeded.',
    };
    expect(await afterRefusal(refusal)).toMatchObject({ kind: 'route', othersWork: false });
  });

  it('that the rate is exceeded costs no attempt, and nothing more is taken for a second', async () => {
    const { send } = client();
    ses.refusals.push({
      status: 429,
      name: 'TooManyRequestsException',
      message: 'Maximum sending rate exceeded.',
    });
    expect(await send()).toMatchObject({ kind: 'route', reason: 'unavailable', othersWork: true });
    const refusedAt = performance.now();
    expect(await send()).toMatchObject({ kind: 'accepted' });
    expect(performance.now() - refusedAt).toBeGreaterThan(900);
  });
});

describe('without an answer', () => {
  it.each(['reset', 'hang'] as const)(
    'after the request was written (%s), the outcome is unknown',
    async (refusal) => {
      expect(await afterRefusal(refusal)).toMatchObject({ kind: 'unknown' });
    },
  );

  it('from a gateway that gave up waiting, the outcome is unknown', async () => {
    expect(await afterRefusal({ status: 504, name: 'GatewayTimeout' })).toMatchObject({ kind: 'unknown' });
  });

  it('because there is no connection, the route failed', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_SESV2', 'http://127.0.0.1:1');
    expect(await client().send()).toMatchObject({ kind: 'route', reason: 'connect' });
  });

  it('because the host is unknown, the route failed', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_SESV2', 'http://ses.invalid');
    expect(await client().send()).toMatchObject({ kind: 'route', reason: 'connect' });
  });

  it('because there are no credentials, the route failed', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere');
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
    expect(await client().send()).toMatchObject({ kind: 'route', reason: 'auth' });
    await expect(assertSesCredentials('eu-central-1')).rejects.toThrow('AWS_ACCESS_KEY_ID');
  });
});

it('no more messages start per second than the account may send', async () => {
  ses.maxSendRate = 20;
  const { send } = client();
  await vi.waitFor(async () => {
    const from = performance.now();
    await Promise.all(Array.from({ length: 5 }, () => send()));
    expect(performance.now() - from).toBeGreaterThan(150);
  }, 180_000);
});

it('closing finishes what is under way, and takes nothing more', async () => {
  const { transport, send } = client();
  const result = send();
  await transport.close();
  expect(await result).toMatchObject({ kind: 'accepted' });
  void send();
  expect(ses.messages).toHaveLength(1);
});

it('credentials in the environment are found', async () => {
  await expect(assertSesCredentials('eu-central-1')).resolves.toBeUndefined();
});
