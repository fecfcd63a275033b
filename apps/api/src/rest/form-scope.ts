import multipart from '@fastify/multipart';
import type { AppError } from '@postrider/core/base/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RestDoor } from './door.ts';
import { type FormParts, readForm } from './read-form.ts';

interface FormScope {
  /** in bytes */
  fileSize: number;
  tooLarge: () => AppError;
  /** The input of the operation; a body that is not a form has neither files nor fields. */
  inputOf: (form: FormParts) => unknown;
  mountIn: (door: RestDoor) => void;
}

/** Room for the fields of a form and the headers of its parts, in bytes. */
const besidesFile = 256 * 1024;

/** A scope whose paths accept a form with one file instead of JSON. The form is read before the operation runs. */
export function openFormScope(
  { app, services, endpoints }: RestDoor,
  { fileSize, tooLarge, inputOf, mountIn }: FormScope,
): void {
  const limits = { files: 1, fields: 20, fieldSize: 10_000, fileSize };
  const bodyLimit = fileSize + besidesFile;
  void app.register(async (scope: FastifyInstance) => {
    // The limit up to which a body is counted and has to keep its pace. Fastify itself compares it with what a parser collects only.
    scope.addHook('onRoute', (route) => {
      route.bodyLimit = bodyLimit;
    });
    scope.addHook('preParsing', async (request, reply) => {
      if (Number(request.headers['content-length'] ?? 0) <= bodyLimit) return;
      reply.header('connection', 'close');
      throw tooLarge();
    });
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { limits, throwFileSizeLimit: true });
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume();
      done(null, {});
    });
    scope.addHook('preHandler', async (request) => {
      const form = request.isMultipart() ? await readForm(request, tooLarge) : { files: [], fields: {} };
      partNames.set(request, [...form.files.map(({ field }) => field), ...Object.keys(form.fields)]);
      request.body = inputOf(form);
    });
    mountIn({ app: scope, services, endpoints });
  });
}

const partNames = new WeakMap<FastifyRequest, readonly string[]>();

/** The names of the parts of a form, files first. */
export const partNamesOf = (request: FastifyRequest): readonly string[] => partNames.get(request) ?? [];
