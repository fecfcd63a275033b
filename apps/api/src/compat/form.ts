import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import { AppError, type CoreConfig, type Services } from '@postrider/core/base/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { digestOf } from '../access/idempotency.ts';
import { messageLimit } from './sizes.ts';

export interface FormFile {
  filename: string;
  contentType: string;
  bytes: Buffer;
}

/** A form: each name can be given several times. */
export interface Form {
  fields: ReadonlyMap<string, readonly string[]>;
  files: ReadonlyMap<string, readonly FormFile[]>;
}

const megabyte = 1024 * 1024;
/** More recipients than a message may have, each as a field of its own. */
const mostFields = 4_000;
/** Two million characters of the longest kind. */
const longestField = 8 * megabyte;

const limitsOf = ({ ATTACHMENTS_MAX_COUNT, MESSAGE_MAX_MB }: CoreConfig) => ({
  // A few more, so that the operation says what its limit is.
  files: ATTACHMENTS_MAX_COUNT + 10,
  fields: mostFields,
  fieldSize: longestField,
  fileSize: MESSAGE_MAX_MB * megabyte,
  parts: mostFields + ATTACHMENTS_MAX_COUNT + 10,
});

const tooLarge = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The request body is too large', { kind: 'too_large' });
const malformed = (cause?: unknown): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The form data cannot be parsed', { cause });
const noForm = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The content type must be that of a form', {
    suggestion: 'Send multipart/form-data or application/x-www-form-urlencoded',
  });

/** Reads forms with files as the body of a request. Its digest does not depend on the boundary, which is new with each attempt. */
export function readForms(scope: FastifyInstance, { config }: Services): void {
  const bodyLimit = messageLimit(config);
  scope.addHook('onRoute', (route) => {
    route.bodyLimit ??= bodyLimit;
  });
  scope.addHook('preParsing', async (request, reply) => {
    if (Number(request.headers['content-length'] ?? 0) <= bodyLimit) return;
    reply.header('connection', 'close');
    throw tooLarge();
  });
  scope.removeAllContentTypeParsers();
  void scope.register(multipart, { limits: limitsOf(config), throwFileSizeLimit: true });
  scope.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_request, body, done) => {
      const form = urlencoded(body.toString());
      if (form) done(null, form);
      else done(tooLarge());
    },
  );
  scope.addContentTypeParser('*', (request, payload, done) => {
    if (request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length']))
      return done(null, emptyForm);
    payload.resume();
    done(noForm());
  });
  scope.addHook('preHandler', async (request) => {
    if (request.isMultipart()) request.body = await parts(request);
    const info = request.ctx?.request;
    if (info?.idempotencyKey !== undefined) info.bodyDigest = digestOfForm(formOf(request));
  });
}

const emptyForm: Form = { fields: new Map(), files: new Map() };

export const formOf = ({ body }: Pick<FastifyRequest, 'body'>): Form => (body ?? emptyForm) as Form;

/** @returns null for more fields than a form may have */
function urlencoded(text: string): Form | null {
  let separators = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) separators += 1;
  if (separators >= mostFields) return null;
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) add(fields, name, value);
  return { fields, files: new Map() };
}

function add<T>(map: Map<string, T[]>, name: string, value: T): void {
  const values = map.get(name);
  if (values) values.push(value);
  else map.set(name, [value]);
}

async function parts(request: FastifyRequest): Promise<Form> {
  const fields = new Map<string, string[]>();
  const files = new Map<string, FormFile[]>();
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw tooLarge();
        add(fields, part.fieldname, String(part.value));
        continue;
      }
      const { fieldname, filename = '', mimetype: contentType } = part;
      add(files, fieldname, { filename, contentType, bytes: await part.toBuffer() });
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { statusCode } = error as { statusCode?: unknown };
    if (statusCode === 413) throw tooLarge();
    throw typeof statusCode === 'number' && statusCode >= 500 ? error : malformed(error);
  }
  return { fields, files };
}

function digestOfForm({ fields, files }: Form): string {
  const known = [...files].map(([name, list]) => [
    name,
    list.map(({ filename, contentType, bytes }) => [
      filename,
      contentType,
      createHash('sha256').update(bytes).digest('base64'),
    ]),
  ]);
  return digestOf(Buffer.from(JSON.stringify([[...fields], known])));
}
