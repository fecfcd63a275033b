import { Agent, request as httpRequest } from 'node:http';
import type { FuzzedRequest } from './fuzzed-request.ts';

export interface Answered {
  status: number;
  text: string;
  ms: number;
}

/** In milliseconds: a request without an answer by then counts as one of this duration. */
export const longestWait = 20_000;
/** An answer is read up to here, in characters; a stream never ends. */
const longestText = 2_000_000;

/** Sends requests over kept connections, each with the credential of its sender. */
export class RequestSender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  send({ method, url, headers, body }: FuzzedRequest, credential: Record<string, string>): Promise<Answered> {
    const begun = performance.now();
    const isStream = headers['accept'] === 'text/event-stream';
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          agent: this.#agent,
          host: this.#url.hostname,
          port: this.#url.port,
          method,
          path: url,
          headers: { ...credential, ...headers },
          timeout: longestWait,
        },
        (answer) => {
          let text = '';
          const done = () => resolve({ status: answer.statusCode ?? 0, text, ms: performance.now() - begun });
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => {
            if (text.length < longestText) text += chunk;
          });
          answer.on('end', done);
          answer.on('error', reject);
          if (isStream && answer.headers['content-type']?.startsWith('text/event-stream')) {
            done();
            answer.destroy();
          }
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${longestWait} ms`)));
      sent.on('error', (error) => {
        // The server may refuse a request while its body is still being sent.
        if ('code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET'))
          resolve({ status: 0, text: '', ms: performance.now() - begun });
        else reject(error);
      });
      sent.end(body ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
