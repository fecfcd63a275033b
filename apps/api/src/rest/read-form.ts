import { AppError } from '@postrider/core/base/kernel';
import type { FastifyRequest } from 'fastify';

export interface FormFile {
  field: string;
  filename: string | undefined;
  contentType: string;
  bytes: Buffer;
}

export interface FormParts {
  files: FormFile[];
  fields: Record<string, unknown>;
}

/**
 * Reads a form to its end: an unread file would block it.
 *
 * @param tooLarge the error for a file beyond the limit of the form
 * @throws AppError INVALID_REQUEST_BODY for a form that cannot be parsed
 */
export async function readForm(request: FastifyRequest, tooLarge: () => AppError): Promise<FormParts> {
  const parts: FormParts = { files: [], fields: {} };
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        parts.fields[part.fieldname] = part.value;
        continue;
      }
      const { fieldname: field, filename, mimetype: contentType } = part;
      parts.files.push({ field, filename, contentType, bytes: await part.toBuffer() });
    }
  } catch (error) {
    throw formError(error, tooLarge);
  }
  return parts;
}

function formError(error: unknown, tooLarge: () => AppError): unknown {
  const { statusCode } = error as { statusCode?: unknown };
  if (statusCode === 413) return tooLarge();
  if (error instanceof AppError || (typeof statusCode === 'number' && statusCode >= 500)) return error;
  return new AppError('INVALID_REQUEST_BODY', 'The form data cannot be parsed', { cause: error });
}
