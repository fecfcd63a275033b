import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A message as it was handed over. */
export interface SesMessage {
  to: string[];
  raw: string;
  tags: Record<string, string>;
  configurationSet: string | undefined;
  headers: IncomingHttpHeaders;
}

/** Instead of accepting a message: an error of the service, or none at all, after the request was read. */
export type SesRefusal = { status: number; name: string; message?: string } | 'reset' | 'hang';

export interface SesStandIn {
  url: string;
  messages: SesMessage[];
  /** used up one per message */
  refusals: SesRefusal[];
  /** what the account may send per second */
  maxSendRate: number;
  /** what the account says of itself beside its rate, or the error with which it is not shown */
  account:
    | {
        SendingEnabled?: boolean;
        ProductionAccessEnabled?: boolean;
        Max24HourSend?: number;
        SentLast24Hours?: number;
      }
    | { refused: string };
  /** the identities, with whether their records were found */
  identities: Map<string, { verified: boolean; mailFrom: string | null }>;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: object;
  type?: string;
}

/** The three tokens of a domain's Easy DKIM records. */
export const dkimTokensOf = (domain: string): string[] =>
  ['a', 'b', 'c'].map((letter) => `${letter}${domain.replaceAll('.', '')}`);

/** Amazon SES on loopback, as far as Postrider uses it: version 2 of its API, over plain HTTP. */
export async function startSesStandIn(): Promise<SesStandIn> {
  const standIn: Omit<SesStandIn, 'url' | 'close'> = {
    messages: [],
    refusals: [],
    maxSendRate: 1_000,
    account: {},
    identities: new Map(),
  };
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}');
    const path = decodeURIComponent(request.url ?? '');
    const refusal = path.endsWith('/outbound-emails') ? standIn.refusals.shift() : undefined;
    if (refusal === 'hang') return;
    if (refusal === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    const {
      status,
      body: reply,
      type,
    } = refusal
      ? failure(refusal.status, refusal.name, refusal.message)
      : answerTo(`${request.method} ${path}`, body, request.headers);
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(type && { 'x-amzn-errortype': type }),
    });
    response.end(JSON.stringify(reply));
  });

  // biome-ignore lint/suspicious/noExplicitAny: the request of a client that this stand-in replaces the server of
  function answerTo(call: string, body: any, headers: IncomingHttpHeaders): Answer {
    if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))
      return failure(403, 'MissingAuthenticationToken');
    const domain = /identities\/([^/]+)/.exec(call)?.[1] ?? body.EmailIdentity;
    const identity = standIn.identities.get(domain);
    if (call === 'POST /v2/email/outbound-emails') {
      standIn.messages.push({
        to: body.Destination.ToAddresses,
        raw: Buffer.from(body.Content.Raw.Data, 'base64').toString(),
        tags: Object.fromEntries(
          (body.EmailTags ?? []).map((tag: { Name: string; Value: string }) => [tag.Name, tag.Value]),
        ),
        configurationSet: body.ConfigurationSetName,
        headers,
      });
      return { status: 200, body: { MessageId: `ses-${standIn.messages.length}` } };
    }
    if (call === 'GET /v2/email/account') {
      if ('refused' in standIn.account) return failure(403, standIn.account.refused);
      const { SendingEnabled, ProductionAccessEnabled, ...quota } = standIn.account;
      return {
        status: 200,
        body: {
          SendingEnabled,
          ProductionAccessEnabled,
          SendQuota: { MaxSendRate: standIn.maxSendRate, ...quota },
        },
      };
    }
    if (call === 'POST /v2/email/identities') {
      if (identity) return failure(400, 'AlreadyExistsException');
      standIn.identities.set(domain, { verified: false, mailFrom: null });
      return { status: 200, body: { DkimAttributes: { Tokens: dkimTokensOf(domain) } } };
    }
    if (!identity) return failure(404, 'NotFoundException');
    if (call.endsWith('/mail-from')) {
      identity.mailFrom = body.MailFromDomain;
      return { status: 200, body: {} };
    }
    return {
      status: 200,
      body: { VerifiedForSendingStatus: identity.verified, DkimAttributes: { Tokens: dkimTokensOf(domain) } },
    };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(standIn, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

const failure = (status: number, type: string, message = 'No reason'): Answer => ({
  status,
  body: { message },
  type,
});
