import type { Failure } from './failure.ts';

/** The body of a refused REST request (behaviour B7.1). */
export const envelopeOf = (
  { status, code, message, errors, details, suggestion }: Omit<Failure, 'status'> & { status: number },
  requestId: string,
) => ({
  success: false as const,
  error: {
    code,
    message,
    statusCode: status,
    requestId,
    ...(errors ? { errors } : {}),
    ...(details ? { details } : {}),
    suggestion,
  },
  timestamp: new Date().toISOString(),
});
