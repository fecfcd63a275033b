import type { Transaction } from '@tiptap/pm/state';

const pauseMs = 500;

let last: { key: string; at: number; transaction: Transaction } | null = null;

/** Marks a change by a control as a part of the one before it, so that dragging a slider or a colour is undone at once. */
export function groupChange(transaction: Transaction, key: string): Transaction {
  const now = Date.now();
  const isSame = last !== null && last.key === key && now - last.at < pauseMs;
  if (isSame && last) transaction.setMeta('appendedTransaction', last.transaction);
  last = { key, at: now, transaction };
  return transaction;
}
