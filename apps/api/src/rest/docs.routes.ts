import { AppError } from '@postrider/core/base/kernel';
import { z } from 'zod';
import { fixedText } from '../plugins/fixed-text.ts';
import { openConsole } from './console/console.routes.ts';
import type { RestDoor } from './door.ts';
import { openApiOf } from './openapi/document.ts';
import { webhookSection } from './openapi/webhooks.ts';
import { otherDoors } from './other-doors.ts';
import { rawRoute } from './raw-route.ts';

const documentInput = z.object({
  webhooks: z
    .boolean()
    .optional()
    .describe(
      'Whether the document has the section `webhooks`. Default false: some generators cannot read it.',
    ),
});

/** @throws AppError BAD_REQUEST */
function isAsked(query: unknown): boolean {
  const { webhooks = 'false' } = (query ?? {}) as { webhooks?: unknown };
  if (webhooks === 'true' || webhooks === 'false') return webhooks === 'true';
  throw new AppError('BAD_REQUEST', 'webhooks must be true or false');
}

/** The document lists everything that is mounted when it is first requested. */
export function mountDocs(door: RestDoor): void {
  const written = new Map<boolean, ReturnType<typeof fixedText>>();
  rawRoute(door, 'GET', '/openapi.json', {
    name: 'docs.openapi',
    summary: 'The OpenAPI 3.1 document of this API.',
    input: documentInput,
    errors: ['BAD_REQUEST'],
    handler(request, reply) {
      const withWebhooks = isAsked(request.query);
      const text = written.get(withWebhooks) ?? textOf(withWebhooks);
      written.set(withWebhooks, text);
      return text(request, reply);
    },
  });
  const textOf = (withWebhooks: boolean) => {
    const { sandboxFrom } = door.services.config;
    const document = openApiOf([...door.endpoints, ...otherDoors], { sandboxFrom });
    const whole = withWebhooks ? { ...document, webhooks: webhookSection() } : document;
    return fixedText(JSON.stringify(whole), 'application/json; charset=utf-8');
  };
  openConsole(door.app);
}
