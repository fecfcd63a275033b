import { AppError, type Services } from '@postrider/core/base/kernel';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { envelopeFor } from '../errors/envelope.ts';
import { failureOf, isUnexpected } from '../errors/failure.ts';
import { addFailureHeaders, answerFailure, logUnexpected } from '../plugins/failures.ts';
import type { Endpoint } from '../rest/endpoint.ts';
import { mountConfirmations } from './confirm.routes.ts';
import type { PublicDoor } from './door.ts';
import { readFormBodies } from './form-body.ts';
import { mountForms } from './forms.routes.ts';
import { mountNotMe } from './not-me.routes.ts';
import { languageOf, notePage } from './note-pages.ts';
import { sendPage } from './page.ts';
import { mountPreferences } from './preferences.routes.ts';
import { mountTracking } from './tracking.routes.ts';

const tokenInput = z.object({
  token: z.string().meta({
    description: 'Signed token of the link, as in the email.',
    examples: ['AZjBpH0eezqcVS9tjksakA'],
  }),
});

/**
 * The targets of links in emails, tracking and the pages of recipients, and sign-up forms. Without authentication and rate limit.
 * `endpoints` is the list that the OpenAPI document is made from.
 */
export function openPublicDoor(
  app: FastifyInstance,
  { services, endpoints }: { services: Services; endpoints: Endpoint[] },
): void {
  const envelope = envelopeFor(services.config.API_URL);
  void app.register(async (scope) => {
    readFormBodies(scope);
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof AppError && error.kind === 'not_found') {
        return answerFailure(error, request, reply, services.log, envelope);
      }
      if (error instanceof AppError && error.kind === 'rate_limited') {
        // More is waiting to be stored than the process accepts; the same request succeeds later.
        return sendPage(reply.header('retry-after', '1'), notePage(503, 'failure', languageOf(request)));
      }
      const status = statusOf(error);
      if (status < 500) return sendPage(reply, notePage(status, 'badChoice', languageOf(request)));
      if (isUnexpected(error)) logUnexpected(services.log, error, request.id);
      addFailureHeaders(reply, failureOf(error));
      return sendPage(reply, notePage(status, 'failure', languageOf(request)));
    });
    const door: PublicDoor = {
      scope,
      services,
      tell(method, path, { statuses = [200], produces = 'text/html', input = tokenInput, ...endpoint }) {
        endpoints.push({
          ...endpoint,
          method,
          path,
          credential: 'none',
          from: 'query',
          changes: false,
          errors: [],
          input,
          statuses,
          envelope: 'none',
          flat: false,
          idempotent: false,
          dryRun: false,
          risk: null,
          produces,
        });
      },
    };
    mountTracking(door);
    mountPreferences(door);
    mountNotMe(door);
    mountConfirmations(door);
    mountForms(door, envelope);
  });
}

/** Failures that Fastify finds in a request keep their status; all others are server errors. */
function statusOf(error: unknown): number {
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500;
  if (typeof status === 'number' && status >= 400 && status < 500) return status;
  return failureOf(error).status === 503 ? 503 : 500;
}
