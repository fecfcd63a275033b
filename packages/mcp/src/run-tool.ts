import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import {
  ApiError,
  call,
  type Operation,
  operations,
  type Postrider,
  PostriderError,
  type SendBatchOptions,
  type SendInput,
  send,
  sendBatch,
} from '@postrider/sdk';
import type { Tool } from './tool.ts';

const byName: Record<string, Operation> = operations;

/** Runs the operation of a tool. A refusal of the API is a result that the model can read and act on. */
export async function runTool(
  { connection }: Postrider,
  { operation }: Tool,
  input: Record<string, unknown>,
  options: { signal: AbortSignal; dryRun?: boolean },
): Promise<CallToolResult> {
  const found = byName[operation.replace(/[.](.)/, (_, letter: string) => letter.toUpperCase())];
  if (!found) throw new Error(`the SDK has no operation ${operation}`);
  try {
    // A call that the SDK repeats after a lost answer sends once, and says what the first attempt sent.
    if (operation === 'sending.send') return resultOf(await send(connection, input as SendInput, options));
    if (operation === 'sending.sendBatch') {
      const { emails = [], ...batch } = input as { emails?: SendInput[] } & SendBatchOptions;
      return resultOf(await sendBatch(connection, emails, { ...batch, ...options }));
    }
    return resultOf((await call(connection, found, input, options)) ?? { done: true });
  } catch (error) {
    if (!(error instanceof PostriderError)) throw error;
    return { ...resultOf(readable(error)), isError: true };
  }
}

/** A result is one value of JSON, texts too: what others wrote is inside of quotes, and cannot look like words of the server. */
export const resultOf = (value: unknown): CallToolResult => ({
  content: [{ type: 'text', text: jsonOf(value, 1) }],
});

/** Characters that a person does not see and a model reads, or that turn the direction of what follows. */
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]|[\u{e0100}-\u{e01ef}]/gu;

/** JSON in which nothing is hidden: such characters are escaped, which leaves the value as it is. */
export const jsonOf = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(unseen, (found) =>
    Array.from(
      { length: found.length },
      (_, n) => `\\u${found.charCodeAt(n).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

function readable(error: PostriderError): object {
  if (!(error instanceof ApiError)) return { message: error.message };
  const { code, status, message, errors, details, suggestion, docs, requestId } = error;
  return { code, status, message, errors, details, suggestion, docs, requestId };
}

/** What a call would do. Where it cannot be tried (a test of an endpoint, a file), only its input is known. */
export async function dryRunOf(
  postrider: Postrider,
  tool: Tool,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<{ isError: boolean; result: CallToolResult; value: unknown }> {
  const result = await runTool(postrider, tool, input, { signal, dryRun: true });
  const value = parsed(result);
  const cannot = (value as { message?: string } | null)?.message?.startsWith('This cannot be a dry run');
  return { isError: result.isError === true && !cannot, result, value: cannot ? null : value };
}

function parsed({ content }: CallToolResult): unknown {
  const [part] = content;
  if (part?.type !== 'text') return null;
  try {
    return JSON.parse(part.text);
  } catch {
    return part.text;
  }
}

/** The approval that a refusal names. */
export function approvalOf(result: CallToolResult): { id: string; url: string } | null {
  if (!result.isError) return null;
  const { code, details } = (parsed(result) ?? {}) as { code?: string; details?: Record<string, unknown> };
  const { approvalId, url } = details ?? {};
  return code === 'APPROVAL_REQUIRED' && typeof approvalId === 'string' && typeof url === 'string'
    ? { id: approvalId, url }
    : null;
}

const asked = new WeakMap<Postrider, Promise<boolean>>();

/**
 * Whether the API itself keeps what sends and deletes from this key: then it asks a person, or refuses. It is tried with what only keys
 * without such a bound may do, as a dry run without documents, which no key can carry out.
 */
export function apiAsks(postrider: Postrider): Promise<boolean> {
  const known = asked.get(postrider);
  if (known) return known;
  const answer = call(
    postrider.connection,
    operations.documentsPersist,
    { documents: [] },
    { dryRun: true },
  ).then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.code === 'FORBIDDEN',
  );
  asked.set(postrider, answer);
  return answer;
}
