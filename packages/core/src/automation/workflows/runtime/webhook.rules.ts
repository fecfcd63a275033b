import type { OutgoingAnswer } from '../../../base/kernel/ports/outgoing-http.ts';

/** Seconds before the second, third, … attempt (behaviour B6.6). */
const retrySeconds = [1, 4, 16, 60] as const;
export const mostAttempts = retrySeconds.length + 1;

/** Maximum length of a recorded answer. */
export const maxResponseLength = 10_000;
export const attemptTimeoutMs = 10_000;

export type WebhookVerdict =
  | { kind: 'done'; success: boolean }
  | { kind: 'retry'; afterMs: number; reason: string }
  | { kind: 'failed'; error: string };

/** @param attempts number of attempts, including this one */
export function judge(answer: OutgoingAnswer, attempts: number): WebhookVerdict {
  if (answer.kind === 'refused')
    return { kind: 'failed', error: `The webhook was refused: ${answer.reason}` };
  if (answer.kind === 'answer' && answer.status < 500 && answer.status !== 429) {
    return { kind: 'done', success: answer.status >= 200 && answer.status < 300 };
  }
  const reason = answer.kind === 'answer' ? `the answer was ${answer.status}` : answer.reason;
  const seconds = retrySeconds[attempts - 1];
  return seconds === undefined
    ? { kind: 'failed', error: `The webhook failed after ${attempts} attempts: ${reason}` }
    : { kind: 'retry', afterMs: seconds * 1_000, reason };
}

/** An answer nested deeper than this is recorded as its text: walking and storing it would take a frame per level. */
const maxResponseDepth = 100;

/** The recorded answer: parsed JSON, else its text; null without one. */
export function recordedResponse(answer: OutgoingAnswer): unknown {
  if (answer.kind !== 'answer') return null;
  const json = answer.isCut ? undefined : parseJson(answer.body);
  return json === undefined || isDeeperThan(json, maxResponseDepth)
    ? storable(answer.body)
    : storableJson(json);
}

/** Undefined for anything but JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

/** Removes what PostgreSQL does not store in JSON: U+0000 and unpaired surrogates. */
const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

const storableJson = (value: unknown): unknown => mapStrings(value, storable, storable);

/** A copy of a JSON value with every string in it replaced, and with `replaceKey` its keys too. Its depth must be bounded. */
export function mapStrings(
  value: unknown,
  replace: (text: string) => unknown,
  replaceKey: (key: string) => string = (key) => key,
): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, replace, replaceKey));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [replaceKey(key), mapStrings(item, replace, replaceKey)]),
  );
}

/** Headers of the step replace defaults by case-insensitive name, except the two that authenticate the request. */
export function mergeHeaders(
  own: Readonly<Record<string, string>>,
  proof: Readonly<Record<string, string>>,
): Record<string, string> {
  const merged = new Map<string, [string, string]>();
  const defaults = { 'Content-Type': 'application/json', 'User-Agent': 'Postrider/1' };
  for (const headers of [defaults, own, proof]) {
    for (const [name, value] of Object.entries(headers)) merged.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(merged.values());
}
