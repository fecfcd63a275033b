import { Transform, type TransformCallback } from 'node:stream';
import { AppError, memoryLevel, type Services, Turnstile } from '@postrider/core/base/kernel';
import { Counts, clientNetwork } from '@postrider/core/base/lib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Gauge, register } from 'prom-client';

const megabyte = 1024 * 1024;

/** Bounds of the bodies that a process reads at the same time (behaviour B8.3). */
export interface BodyLimits {
  /** bytes above which a body also counts for its owner, and is worked on in turn */
  largeAbove: number;
  /** bytes of the bodies that one owner sends at the same time */
  perOwner: number;
  /** received bytes that are held at the same time */
  total: number;
  /** a large body has to bring `leastPerWindow` bytes in each window of `windowMs` */
  windowMs: number;
  leastPerWindow: number;
  /** any other body has to be complete after so long */
  smallMs: number;
}

/** 256 KiB per second: the largest body takes 4 minutes, within the time limit of a request. */
export const bodyLimits: BodyLimits = {
  largeAbove: megabyte,
  perOwner: 128 * megabyte,
  total: 384 * megabyte,
  windowMs: 10_000,
  leastPerWindow: 2.5 * megabyte,
  smallMs: 30_000,
};

/**
 * Bounds the memory of bodies, which nothing else does before they are complete, and the time that they take. Runs after the gate: the
 * credential and the rate limit are checked, and the project is known. A body counts until its request is answered, whatever the answer.
 *
 * All together are bounded by what has arrived, so that declared lengths alone keep nobody out; an owner, which is a project or a client
 * without one, by what it declares, so that it is refused before it has sent anything. A body that arrives too slowly is refused.
 *
 * A body of several megabytes also costs tens of milliseconds to read, to store and to answer, so those of all projects of one user are
 * worked on one after another (behaviour B8.6), and requests of others are answered in between.
 */
export function boundBodies(
  app: FastifyInstance,
  { log, owners }: Pick<Services, 'log' | 'owners'>,
  limits: BodyLimits,
): void {
  const shares = new Shares(limits);
  const turns = new Turnstile(owners, { what: 'body', places: Number.POSITIVE_INFINITY, ofTurn: 1 });
  countHeldBytes(shares);
  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = declaredLength(request);
    const limit = request.routeOptions.bodyLimit;
    // A body above the limit of its route is refused without being read.
    if (length === 0 || (Number.isFinite(length) && length > limit)) return done(null, payload);
    // What is counted is given back when the connection closes, which has happened already.
    if (reply.raw.closed) return done(clientGone());
    const owner = ownerOf(request);
    const share = shares.of(owner, reply);
    if (Number.isFinite(length) && length > limits.largeAbove && memoryLevel() === 'short')
      return done(memoryIsShort());
    if (Number.isFinite(length) && length > limits.largeAbove && !share.declare(length))
      return done(tooMany('owner'));
    // What has arrived already cannot come slowly: most bodies, whose header and content are one packet.
    if (request.raw.complete && length <= limits.largeAbove)
      return share.receive(length) ? done(null, payload) : done(tooMany('total'));
    const body = new ArrivingBody(request, reply, { share, limits, length, limit, log });
    // Forms are read from the socket, in parts.
    const isForm = request.headers['content-type']?.startsWith('multipart/') === true;
    if (isForm || (Number.isFinite(length) && length <= limits.largeAbove)) return done(null, payload);
    done(null, payload.pipe(new BodyInTurn(body, () => takeTurn(turns, owner, reply))));
  });
}

/** Bytes; Infinity for a body in chunks, 0 without a body. */
function declaredLength({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

const ownerOf = ({ ctx, ip }: FastifyRequest): string => ctx?.project?.id ?? clientNetwork(ip);

/** What the bodies of one request count. */
interface Share {
  /** @returns false when the owner would exceed its bound */
  declare(bytes: number): boolean;
  /** @returns false when all together would exceed theirs */
  receive(bytes: number): boolean;
}

class Shares {
  readonly #limits: BodyLimits;
  readonly #declared = new Counts();
  /** bytes that are held of all bodies */
  received = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  of(owner: string, reply: FastifyReply): Share {
    let declared = 0;
    let received = 0;
    reply.raw.once('close', () => {
      if (declared > 0) this.#declared.add(owner, -declared);
      this.received -= received;
      declared = 0;
      received = 0;
    });
    return {
      declare: (bytes) => {
        if (this.#declared.get(owner) + bytes > this.#limits.perOwner) return false;
        declared += bytes;
        this.#declared.add(owner, bytes);
        return true;
      },
      receive: (bytes) => {
        if (this.received + bytes > this.#limits.total) return false;
        received += bytes;
        this.received += bytes;
        return true;
      },
    };
  }
}

/** The gauge of a process; of several apps in one, which only tests have, that of the last. */
function countHeldBytes(shares: Shares): void {
  const name = 'postrider_bodies_bytes';
  register.removeSingleMetric(name);
  new Gauge({
    name,
    help: 'Bytes of request bodies that have arrived and are held until their requests are answered',
    collect() {
      this.set(shares.received);
    },
  });
}

interface Arrival {
  share: Share;
  limits: BodyLimits;
  /** declared; Infinity for chunks */
  length: number;
  /** of the route, in bytes */
  limit: number;
  log: Logger;
}

/**
 * Counts a body as it arrives, and answers for it when it exceeds a bound or comes too slowly. It listens to the request itself, because not
 * every reader takes the stream that hooks pass on.
 */
class ArrivingBody {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #arrival: Arrival;
  #received = 0;
  #ofWindow = 0;
  #isLarge: boolean;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, arrival: Arrival) {
    this.#request = request;
    this.#reply = reply;
    this.#arrival = arrival;
    this.#isLarge = Number.isFinite(arrival.length) && arrival.length > arrival.limits.largeAbove;
    const { raw } = request;
    // A listener alone would start the stream, before its reader listens.
    raw.pause();
    raw.on('data', (chunk: Buffer) => this.#count(chunk.length));
    raw.once('end', () => this.end());
    reply.raw.once('close', () => this.end());
    if (!raw.complete || this.#isLarge) this.#watchTime();
  }

  get isLarge(): boolean {
    return this.#isLarge;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #watchTime(): void {
    clearInterval(this.#timer);
    const { smallMs, windowMs, leastPerWindow } = this.#arrival.limits;
    const late = (): void => {
      if (!this.#isLarge || this.#ofWindow < leastPerWindow) this.#tooSlow();
      this.#ofWindow = 0;
    };
    this.#timer = setInterval(late, this.#isLarge ? windowMs : smallMs).unref();
  }

  #count(bytes: number): void {
    this.#received += bytes;
    this.#ofWindow += bytes;
    const { share, limits, length, limit } = this.#arrival;
    if (!this.#isLarge && this.#received > limits.largeAbove) {
      this.#isLarge = true;
      this.#watchTime();
      if (!Number.isFinite(length) && memoryLevel() === 'short') {
        this.#refuse(memoryIsShort());
        return;
      }
      // What is in chunks counts as the largest body that the route takes.
      if (!Number.isFinite(length) && !share.declare(limit)) {
        this.#refuse(tooMany('owner'));
        return;
      }
    }
    if (!share.receive(bytes)) this.#refuse(tooMany('total'));
  }

  #tooSlow(): void {
    const { routeOptions, ctx, id } = this.#request;
    this.#arrival.log.info(
      { requestId: id, projectId: ctx?.project?.id, route: routeOptions.url, bytes: this.#received },
      'body too slow',
    );
    this.#refuse(tooSlow());
  }

  /** The rest of the body may never come, so the connection is closed after the answer. */
  #refuse(error: AppError): void {
    this.end();
    if (this.#reply.sent) return;
    this.#reply.raw.shouldKeepAlive = false;
    this.#request.raw.removeAllListeners('data').resume();
    void this.#reply.header('connection', 'close').send(error);
  }
}

/** Waits until no other large body of the owner is worked on. The turn ends with the request, also when its client has gone away. */
async function takeTurn(turns: Turnstile, owner: string, { raw }: FastifyReply): Promise<void> {
  const end = await turns.take(owner);
  if (raw.closed) end();
  else raw.once('close', end);
}

/** Passes a body on; one that is large ends when it is its turn. */
class BodyInTurn extends Transform {
  readonly #body: ArrivingBody;
  readonly #turn: () => Promise<void>;

  constructor(body: ArrivingBody, turn: () => Promise<void>) {
    super();
    this.#body = body;
    this.#turn = turn;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.#body.end();
    if (this.#body.isLarge) this.#turn().then(() => done(), done);
    else done();
  }
}

const tooMany = (bound: 'owner' | 'total'): AppError =>
  new AppError(
    'RATE_LIMIT_EXCEEDED',
    bound === 'owner'
      ? 'Too many large requests of this project arrive at the same time'
      : 'Too many requests with a body arrive at the same time',
    {
      details: { retryAfter: 1 },
    },
  );

/** Small requests go on. */
const memoryIsShort = (): AppError =>
  new AppError('INTERNAL_SERVER_ERROR', 'There is no memory for large requests at the moment', {
    kind: 'unavailable',
    details: { retryAfter: 5 },
    suggestion: 'Send the request again in some seconds, or one with less than 1 MB',
  });

const clientGone = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The connection was closed before the request body was read');

const tooSlow = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The request body arrived too slowly', {
    suggestion: 'Send bodies within 30 seconds, larger ones with at least 256 KiB per second',
  });
