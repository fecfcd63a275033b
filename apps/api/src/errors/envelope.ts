import type { Failure } from './failure.ts';

/** The page of the documentation about an error code. */
export const errorPageOf = (apiUrl: string, code: string): string => `${apiUrl}/docs/errors/${code}`;

/** How refused REST requests are answered (behaviour B7.1); `apiUrl` is the public address of the API. */
export const envelopeFor =
  (apiUrl: string) =>
  (
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
      docs: errorPageOf(apiUrl, code),
    },
    timestamp: new Date().toISOString(),
  });

export type Envelope = ReturnType<typeof envelopeFor>;
