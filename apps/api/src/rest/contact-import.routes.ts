import multipart from '@fastify/multipart';
import { importLimitBytes, importTooLarge, startContactImport } from '@postrider/core/contacts';
import { AppError } from '@postrider/core/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

/** The form as the API reference shows it. */
const form = z
  .object({
    file: z.file().meta({
      description:
        'The CSV file, at most 5 MB: a header with a column `email`, then one contact per row. Its name ends in `.csv`, or its type is `text/csv`.',
      examples: ['email,plan\ncustomer@example.com,pro\n'],
    }),
    subscribed: z
      .enum(['true', 'false'])
      .optional()
      .meta({
        description:
          'Whether new contacts are subscribed; default `true`. Existing contacts keep their state.',
        examples: ['true'],
      }),
  })
  .describe('A form with one file.');

/** Limits of the form, its file included. */
const limits = { files: 1, fields: 20, fieldSize: 10_000, fileSize: importLimitBytes };

/**
 * `POST /contacts/import` accepts a form with a file, unlike every other path: it has its own scope, where a form is
 * read before the operation runs. A body that is not a form has no file.
 */
export function mountContactImport({ app, services, endpoints }: RestDoor): void {
  void app.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { limits, throwFileSizeLimit: true });
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume();
      done(null, {});
    });
    scope.addHook('preHandler', async (request) => {
      request.body = request.isMultipart() ? await readForm(request) : {};
    });
    mount({ app: scope, services, endpoints }, 'POST', '/contacts/import', startContactImport, {
      status: 202,
      form,
      flat: ({ csv }) => (csv === undefined ? 'file is required and must be a CSV file' : null),
    });
  });
}

/** The input of the operation; without a CSV file, `csv` is absent. */
async function readForm(request: FastifyRequest): Promise<{ csv?: Buffer; subscribed?: unknown }> {
  const input: { csv?: Buffer; subscribed?: unknown } = {};
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.fieldname === 'subscribed' && part.value !== '') input.subscribed = part.value;
        continue;
      }
      // Always read to its end: an unread file would block the form.
      const bytes = await part.toBuffer();
      if (part.fieldname === 'file' && isCsv(part)) input.csv = bytes;
    }
  } catch (error) {
    throw formError(error);
  }
  return input;
}

/** A part that is a file only by its type has no name. */
const isCsv = ({ filename, mimetype }: { filename?: string | undefined; mimetype: string }): boolean =>
  filename?.toLowerCase().endsWith('.csv') === true || mimetype.toLowerCase() === 'text/csv';

function formError(error: unknown): unknown {
  const { statusCode } = error as { statusCode?: unknown };
  if (statusCode === 413) return importTooLarge();
  if (error instanceof AppError || (typeof statusCode === 'number' && statusCode >= 500)) return error;
  return new AppError('INVALID_REQUEST_BODY', 'The form data cannot be parsed', { cause: error });
}
