import { SESv2Client } from '@aws-sdk/client-sesv2';

export interface SesClientOptions {
  region: string;
  /** most requests at once */
  connections: number;
  /** longest wait for an answer, in milliseconds */
  answerTimeoutMs: number;
}

const connectionTimeoutMs = 10_000;

/**
 * A client of Amazon SES, API version 2. Credentials, and an endpoint other than Amazon's (`AWS_ENDPOINT_URL_SESV2`), come from where the
 * AWS SDK usually finds them. It makes one attempt: repeating a send whose answer was lost could send a message twice.
 */
export const createSesClient = ({ region, connections, answerTimeoutMs }: SesClientOptions): SESv2Client => {
  const agent = { keepAlive: true, maxSockets: connections };
  return new SESv2Client({
    region,
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: answerTimeoutMs,
      throwOnRequestTimeout: true,
      httpsAgent: agent,
      httpAgent: agent,
    },
  });
};
