/** Longer than an api takes to say that it cannot; what is given up and repeated is work that is done twice. */
const requestTimeoutMs = 30_000;

export interface Attempt {
  /** origin of the api */
  api: string;
  path: string;
  /** of a project */
  key: string;
  idempotencyKey: string;
  body: object;
}

/** What became of one request. */
export interface Answer {
  path: string;
  /** null without an answer: the connection broke, was refused, or nothing came in time */
  status: number | null;
  /** the header; null without it */
  retryAfter: string | null;
  /** the code of the error, where there was no answer; of an answer that is no success, the beginning of its body */
  cause: string;
  /** of a success: the reply */
  reply: unknown;
  /** when it was sent, and for how long the answer took, in milliseconds; the first since the start of this process */
  at: number;
  ms: number;
}

export type Answered = (answer: Answer) => void;

/** Sends one request with an idempotency key. It never rejects. */
export async function attempt(request: Attempt, answered: Answered = () => undefined): Promise<Answer> {
  const at = performance.now();
  const answer: Answer = { ...(await ask(request)), path: request.path, at, ms: performance.now() - at };
  answered(answer);
  return answer;
}

async function ask({
  api,
  path,
  key,
  idempotencyKey,
  body,
}: Attempt): Promise<Omit<Answer, 'path' | 'at' | 'ms'>> {
  try {
    const response = await fetch(new URL(path, api), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await response.text();
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      cause: response.ok ? '' : text.slice(0, 200),
      reply: response.ok ? JSON.parse(text) : null,
    };
  } catch (error) {
    return { status: null, retryAfter: null, cause: causeOf(error), reply: null };
  }
}

/** The code of what broke the connection, or that no answer came in time. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.name;
}
