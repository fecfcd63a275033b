/**
 * The text with which a statement ended itself by calling `refuse(text)` (SQLSTATE PR001, prisma/extras.sql); null for every other
 * failure. Takes errors of pg and of Prisma.
 */
export function refusalText(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, message, meta } = error as {
    code?: unknown;
    message?: unknown;
    meta?: Record<string, unknown>;
  };
  if (code === 'PR001' && typeof message === 'string') return message;
  const cause = (meta?.['driverAdapterError'] as { cause?: Record<string, unknown> } | undefined)?.cause;
  const text = cause?.['originalMessage'];
  return cause?.['originalCode'] === 'PR001' && typeof text === 'string' ? text : null;
}
