import { z } from 'zod';
import { findUnacceptable } from './unacceptable.rules.ts';

/**
 * The value of a text that is JSON, because a query or a form holds only text. It is checked like a body: U+0000 and unpaired surrogates may be
 * written as escapes in it.
 *
 * @returns `z.NEVER` after an issue at the field, or at the one inside it
 */
export function readJsonText(text: string, ctx: z.RefinementCtx): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    ctx.addIssue({ code: 'custom', params: { code: 'invalid_string' }, message: 'Not valid JSON' });
    return z.NEVER;
  }
  const unacceptable = findUnacceptable(value, []);
  if (!unacceptable) return value;
  const { field, code, message } = unacceptable;
  ctx.addIssue({ code: 'custom', params: { code }, path: field === '' ? [] : [field], message });
  return z.NEVER;
}
