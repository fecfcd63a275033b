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
  options: { signal: AbortSignal },
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

export const resultOf = (value: unknown): CallToolResult => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 1) }],
});

function readable(error: PostriderError): object {
  if (!(error instanceof ApiError)) return { message: error.message };
  const { code, status, message, errors, details, suggestion, requestId } = error;
  return { code, status, message, errors, details, suggestion, requestId };
}
