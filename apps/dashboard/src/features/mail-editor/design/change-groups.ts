import { closeHistory } from '@tiptap/pm/history';
import type { Transaction } from '@tiptap/pm/state';

const pauseMs = 500;

let last: { key: string; at: number; transaction: Transaction } | null = null;

/**
 * Marks a change by a control as a part of the one before it, so that dragging a slider or a colour is undone at once. The change of another
 * control is undone by itself, however soon it follows.
 */
export function groupChange(transaction: Transaction, key: string): Transaction {
  const now = Date.now();
  const isSame = last !== null && last.key === key && now - last.at < pauseMs;
  if (isSame && last) transaction.setMeta('appendedTransaction', last.transaction);
  else closeHistory(transaction);
  last = { key, at: now, transaction };
  return transaction;
}
