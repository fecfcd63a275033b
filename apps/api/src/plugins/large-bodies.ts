import { Transform, type TransformCallback } from 'node:stream';
import { AppError } from '@postrider/core/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Turns } from './turns.ts';

const megabyte = 1024 * 1024;

/** Bounds of the bodies that a process reads at the same time (behaviour B8.3). */
export interface LargeBodyLimits {
  /** bytes above which a body counts */
  largeAbove: number;
  /** bytes of the bodies that one project sends at the same time */
  perOwner: number;
  /** received bytes that are held at the same time */
  total: number;
  /** a large body has to bring `leastPerWindow` bytes in each window of `windowMs` */
  windowMs: number;
  leastPerWindow: number;
}

/** 256 KiB per second: the largest body takes 4 minutes, within the time limit of a request. */
export const largeBodyLimits: LargeBodyLimits = {
  largeAbove: megabyte,
  perOwner: 128 * megabyte,
  total: 384 * megabyte,
  windowMs: 10_000,
  leastPerWindow: 2.5 * megabyte,
};

/**
 * Bounds the memory of large bodies, which nothing else does before they are complete, and the time that they take at once: a body of several
 * megabytes costs tens of milliseconds to read, to store and to answer, so those of one project are worked on one after another, and requests of
 * other projects are answered in between. Runs after the gate: the credential and the rate
 * limit are checked, and the project is known. A body counts until its request is answered.
 *
 * A project is bounded by what it declares, so that it is refused before it has sent anything; all together by what has arrived, so
 * that declared lengths alone keep no other project out. A body that arrives too slowly is refused and gives its share back.
 */
export function boundLargeBodies(app: FastifyInstance, limits: LargeBodyLimits): void {
  const shares = new Shares(limits);
  const turns = new Turns();
  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = declaredLength(request);
    const limit = request.routeOptions.bodyLimit;
    // A body above the limit of its route is refused without being read.
    if (length <= limits.largeAbove || (Number.isFinite(length) && length > limit))
      return done(null, payload);
    // What is counted is given back when the connection closes, which has happened already.
    if (reply.raw.closed) return done(clientGone());
    const owner = ownerOf(request);
    const share = shares.of(owner, reply);
    if (Number.isFinite(length) && !share.declare(length)) return done(tooMany('owner'));
    // Forms are read from the socket, in parts, below limits of their own.
    if (request.headers['content-type']?.startsWith('multipart/')) return done(null, payload);
    const undeclared = Number.isFinite(length) ? 0 : limit;
    const turn = () => takeTurn(turns, owner, reply);
    done(null, payload.pipe(new WatchedBody(reply, { share, turn, undeclared }, limits)));
  });
}

/** Bytes; Infinity for a body in chunks, 0 without a body. */
function declaredLength({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

const ownerOf = ({ ctx, ip }: FastifyRequest): string => ctx?.project?.id ?? ip;

/** What the bodies of one request count. */
interface Share {
  /** @returns false when the project would exceed its bound */
  declare(bytes: number): boolean;
  /** @returns false when all together would exceed theirs */
  receive(bytes: number): boolean;
}

class Shares {
  readonly #limits: LargeBodyLimits;
  readonly #declared = new Map<string, number>();
  #received = 0;

  constructor(limits: LargeBodyLimits) {
    this.#limits = limits;
  }

  of(owner: string, reply: FastifyReply): Share {
    let declared = 0;
    let received = 0;
    reply.raw.once('close', () => {
      this.#add(owner, -declared);
      this.#received -= received;
    });
    return {
      declare: (bytes) => {
        if ((this.#declared.get(owner) ?? 0) + bytes > this.#limits.perOwner) return false;
        declared += bytes;
        this.#add(owner, bytes);
        return true;
      },
      receive: (bytes) => {
        if (this.#received + bytes > this.#limits.total) return false;
        received += bytes;
        this.#received += bytes;
        return true;
      },
    };
  }

  #add(owner: string, bytes: number): void {
    const sum = (this.#declared.get(owner) ?? 0) + bytes;
    if (sum > 0) this.#declared.set(owner, sum);
    else this.#declared.delete(owner);
  }
}

/** Waits until no other large body of the owner is worked on. The turn ends with the request, also when its client has gone away. */
async function takeTurn(turns: Turns, owner: string, { raw }: FastifyReply): Promise<void> {
  const end = await turns.take(owner);
  if (raw.closed) end();
  else raw.once('close', end);
}

interface Bounds {
  share: Share;
  /** resolves when the complete body may be read */
  turn(): Promise<void>;
  /** bytes to declare once the body is large; 0 when they are declared */
  undeclared: number;
}

/** Passes a body on while it keeps within the bounds and arrives fast enough. */
class WatchedBody extends Transform {
  readonly #share: Share;
  readonly #turn: () => Promise<void>;
  readonly #largeAbove: number;
  readonly #timer: NodeJS.Timeout;
  #undeclared: number;
  #received = 0;
  #ofWindow = 0;

  constructor(reply: FastifyReply, { share, turn, undeclared }: Bounds, limits: LargeBodyLimits) {
    super();
    this.#share = share;
    this.#turn = turn;
    this.#undeclared = undeclared;
    this.#largeAbove = limits.largeAbove;
    this.#timer = setInterval(() => {
      if (this.#ofWindow < limits.leastPerWindow) {
        // The rest of the body may never come, so the connection is closed.
        reply.raw.shouldKeepAlive = false;
        this.destroy(tooSlow());
      }
      this.#ofWindow = 0;
    }, limits.windowMs).unref();
    reply.raw.once('close', () => clearInterval(this.#timer));
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#received += chunk.length;
    this.#ofWindow += chunk.length;
    const exceeded = this.#exceededWith(chunk);
    if (exceeded) done(tooMany(exceeded));
    else done(null, chunk);
  }

  #exceededWith(chunk: Buffer): 'owner' | 'total' | null {
    if (this.#undeclared > 0 && this.#received > this.#largeAbove) {
      if (!this.#share.declare(this.#undeclared)) return 'owner';
      this.#undeclared = 0;
    }
    return this.#share.receive(chunk.length) ? null : 'total';
  }

  override _flush(done: TransformCallback): void {
    clearInterval(this.#timer);
    if (this.#received <= this.#largeAbove) done();
    else this.#turn().then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#timer);
    done(error);
  }
}

const tooMany = (bound: 'owner' | 'total'): AppError =>
  new AppError(
    'RATE_LIMIT_EXCEEDED',
    bound === 'owner'
      ? 'Too many large requests of this project arrive at the same time'
      : 'Too many large requests arrive at the same time',
    {
      details: { retryAfter: 1 },
    },
  );

const clientGone = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The connection was closed before the request body was read');

const tooSlow = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The request body arrived too slowly', {
    suggestion: 'Send at least 256 KiB per second, or fewer attachments at the same time',
  });
