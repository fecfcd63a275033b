import { PostriderError } from './errors.ts';
import type { WebhookEvent } from './generated/types.gen.ts';

/** The request is not one that Postrider sent to this endpoint, or not a recent one: answer 400 and do nothing. */
export class WebhookVerificationError extends PostriderError {
  override name = 'WebhookVerificationError';
}

/**
 * The body of a webhook request: one of the events by its `kind`, which tells the type of its `data`. `id` is the same for every attempt and
 * replay of a delivery: keep it to handle each delivery once. A kind that is newer than this SDK is passed on as it is, so a `switch`
 * needs a `default`.
 */
export type VerifiedWebhook = WebhookEvent & { id: string };

type HeaderValue = string | readonly string[] | undefined;
export type WebhookHeaders = Headers | Readonly<Record<string, HeaderValue>>;

export interface VerifyOptions {
  /** How far the time of the request may be from now, in seconds. Default 300. */
  toleranceSeconds?: number;
  /** The time in milliseconds. Default: now. */
  now?: number;
}

/**
 * Verifies a request of a webhook endpoint by Standard Webhooks and reads it. Signatures are compared in constant time.
 *
 * @param payload the body as it arrived, before any JSON parser
 * @param secrets the endpoint's `whsec_…`; several while they change
 * @throws WebhookVerificationError unless one secret signed exactly this body, id and time, and the time is near
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? (bytesOf(each.slice(3)) ?? []) : []));
  checkTime(timestamp, toleranceSeconds, now);
  const body = bodyOf(payload);
  await checkSignature(`${id}.${timestamp}.`, body, signatures, severalOf(secrets).map(webhookKey));
  return { id, ...(JSON.parse(new TextDecoder().decode(body)) as WebhookEvent) };
}

/** A request of a WEBHOOK step. */
export interface VerifiedStep {
  /** Id of the step's execution, the same for every attempt. */
  delivery: string;
  /** The parsed body; undefined where the step has none. */
  body: unknown;
}

/**
 * Verifies a request of a WEBHOOK step of a workflow, by its header `X-Postrider-Signature`, and reads it.
 *
 * @param payload the body as it arrived; empty for GET
 * @param secrets the project's webhook secret; several while they change
 * @throws WebhookVerificationError unless one secret signed exactly this body and time, and the time is near
 */
export async function verifyStep(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<VerifiedStep> {
  const delivery = headerOf(headers, 'x-postrider-delivery');
  const [, timestamp = '', signature = ''] =
    /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-postrider-signature')) ?? [];
  checkTime(timestamp, toleranceSeconds, now);
  const body = bodyOf(payload);
  const given = Uint8Array.from(signature.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  await checkSignature(`${timestamp}.`, body, [given], severalOf(secrets).map(stepKey));
  return {
    delivery,
    body: body.length === 0 ? undefined : (JSON.parse(new TextDecoder().decode(body)) as unknown),
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

const severalOf = (secrets: string | readonly string[]): readonly string[] =>
  typeof secrets === 'string' ? [secrets] : secrets;

const bodyOf = (payload: string | Uint8Array): Uint8Array =>
  typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;

function checkTime(timestamp: string, toleranceSeconds: number, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError('The request is too old, or its time is in the future');
}

/** Tries every signature with every key. WebCrypto's `verify` compares in constant time. */
async function checkSignature(
  before: string,
  body: Uint8Array,
  signatures: readonly Bytes[],
  keys: readonly Bytes[],
): Promise<void> {
  const prefix = new TextEncoder().encode(before);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  for (const raw of keys) {
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    for (const given of signatures) if (await crypto.subtle.verify('HMAC', key, given, signed)) return;
  }
  throw new WebhookVerificationError('No signature of the request is valid for the secret');
}

function webhookKey(secret: string): Bytes {
  const raw = bytesOf(secret.replace(/^whsec_/, ''));
  if (raw === undefined || raw.length === 0)
    throw new PostriderError('The secret must be that of the webhook endpoint: whsec_ and base64');
  return raw;
}

function stepKey(secret: string): Bytes {
  // Anybody can sign with an empty one.
  if (secret === '') throw new PostriderError('The secret must be the webhook secret of the project');
  return new TextEncoder().encode(secret);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : plainHeader(headers, name);
  if (!value) throw new WebhookVerificationError(`The header ${name} is missing`);
  return value;
}

const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers['get'] === 'function';

function plainHeader(headers: Readonly<Record<string, HeaderValue>>, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.replace(/=/g, '').length % 4 === 1) return undefined;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
