import {
  type Actor,
  idsOf,
  type ObservedOperation,
  type RequestObserver,
  redact,
} from '@postrider/core/base/kernel';
import { isUuid } from '@postrider/core/base/lib';
import { mostShown } from '@postrider/core/insight/requests';
import type { Failure } from '../errors/failure.ts';

interface Call {
  operation: ObservedOperation;
  input: unknown;
  isAnswered: boolean;
  output: unknown;
}

/** More operations of one request are not kept: those of the fields of many records. */
const mostCalls = 10;
const mostErrors = 20;
const mostEmails = 10;
/** Characters for the braces and names around what is redacted. */
const around = 400;

/** What is known of a request while it is answered, for the request log (behaviour B11.9). */
export class RequestTrace implements RequestObserver {
  readonly #calls: Call[] = [];
  #failure: Failure | null = null;
  /** the caller, once the key has been found */
  actor: Extract<Actor, { type: 'key' }> | null = null;
  /** the key that was given */
  key: string | null = null;
  /** it is of the kind that this endpoint does not take, and was not looked up */
  isWrongKind = false;
  /** it is carried out and undone (behaviour B15.11) */
  dryRun = false;
  /** of a request to GraphQL: its documents, for one that runs no operation */
  documents: readonly { query: string }[] = [];
  /** the operations that these documents name */
  namedOperations: () => string[] = () => [];

  /** @see RequestObserver; an operation that begins twice with one input is the same call */
  began(operation: ObservedOperation, input: unknown): Call | null {
    const known = this.#calls.find(
      (call) => call.operation.name === operation.name && call.input === input && !call.isAnswered,
    );
    if (known) return known;
    if (this.#calls.length >= mostCalls) return null;
    const call: Call = { operation, input, isAnswered: false, output: undefined };
    this.#calls.push(call);
    return call;
  }

  ended(call: Call | null, output: unknown): void {
    if (!call) return;
    call.isAnswered = true;
    call.output = output;
  }

  /** The first failure of a request is what it is found by. */
  failed(failure: Failure): void {
    this.#failure ??= failure;
  }

  get failure(): Failure | null {
    return this.#failure;
  }

  /** The operations that began, in that order. */
  get operations(): string[] {
    return this.#calls.map(({ operation }) => operation.name);
  }

  /** The first one that failed, else the first. */
  get operation(): string | null {
    const failed = this.#failure && this.#calls.find(({ isAnswered }) => !isAnswered);
    return (failed ?? this.#calls[0])?.operation.name ?? null;
  }

  /** What was given and answered, as it may be kept. @param several whether the request is a list of operations */
  details(several: boolean): { request: object | null; response: object | null; emailIds: string[] } {
    const failure = this.#failure ? shownFailure(this.#failure) : null;
    const response = (most: number): object | null => {
      if (failure && !several) return failure;
      const ids = this.#answers(several, most);
      return failure ? { ...failure, ...ids } : ids;
    };
    return {
      request: this.#calls.length > 0 ? fitting((most) => this.#inputs(several, most)) : null,
      response: fitting(response) ?? failure,
      emailIds: this.#emailIds(),
    };
  }

  #inputs(several: boolean, most: number): object | null {
    const inputs = this.#each(most, ({ operation: { name, input: schema }, input }, share) => ({
      operation: name,
      input: redact(schema, input, share),
    }));
    return several ? { calls: inputs } : asObject(inputs[0]?.input);
  }

  #answers(several: boolean, most: number): object | null {
    const answers = this.#each(
      most,
      ({ operation: { name, output: schema }, isAnswered, output }, share) => ({
        operation: name,
        ids: isAnswered ? idsOf(schema, output, share).ids : null,
      }),
    );
    return several ? { calls: answers } : asObject(answers[0]?.ids);
  }

  /** Each call with its share of the room. */
  #each<T>(most: number, show: (call: Call, share: number) => T): T[] {
    const share = Math.floor(most / Math.max(1, this.#calls.length));
    return this.#calls.map((call) => show(call, share));
  }

  #emailIds(): string[] {
    const found = this.#calls.flatMap(({ operation, input, isAnswered, output }) => [
      ...(isAnswered ? idsOf(operation.output, output, mostShown).emailIds : []),
      ...idsOf(operation.input, input, mostShown).emailIds,
    ]);
    return [...new Set(found)].slice(0, mostEmails);
  }
}

function asObject(value: unknown): object | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' && !Array.isArray(value) ? value : { value };
}

/**
 * What fits into the room of an entry. The first measure leaves some for braces and names; values are cut at their ends, so several can be
 * longer together, and letters can have several bytes.
 *
 * @returns null if nothing does
 */
function fitting(make: (most: number) => object | null): object | null {
  for (let most = mostShown - around; most >= around; most = Math.floor(most / 2)) {
    const made = make(most);
    if (made === null || Buffer.byteLength(JSON.stringify(made)) <= mostShown) return made;
  }
  return null;
}

const fieldName = /^(?:\d{1,6}|[A-Za-z_$][A-Za-z0-9_$-]{0,63})$/;

/** The path of a field; a part that is not a plain name may be text that the caller wrote. */
const shownPath = (path: string): string =>
  path
    .slice(0, 120)
    .split('.')
    .map((part) => (part === '' || fieldName.test(part) ? part : '(…)'))
    .join('.');

/** A reason as the product names them, such as `DOMAIN_NOT_VERIFIED`. */
const reason = /^[A-Z][A-Z_]{2,60}$/;
const mostDetails = 10;

/** Numbers, flags, ids and the name of a reason; other texts by their length, and nothing of what is nested. */
const shownDetails = (details: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(details)
      .slice(0, mostDetails)
      .map(([name, value]) => {
        if (isUuid(value)) return [name, value];
        if (typeof value === 'string')
          return [name, name === 'reason' && reason.test(value) ? value : { length: value.length }];
        return [name, typeof value === 'object' && value !== null ? { type: 'object' } : value];
      }),
  );

/** Messages are left out: they may repeat what was given, or what is stored. */
const shownFailure = ({ code, status, errors, details }: Failure): object => ({
  code,
  statusCode: status,
  ...(details ? { details: shownDetails(details) } : {}),
  ...(errors
    ? {
        errors: errors
          .slice(0, mostErrors)
          .map(({ field, code: fieldCode }) => ({ field: shownPath(field), code: fieldCode })),
      }
    : {}),
});
