import { systemContext } from '@postrider/core/base/kernel';
import { notificationOutput, receiveNotification } from '@postrider/core/mail/provider';
import type { RestDoor } from './door.ts';
import { rawRoute } from './raw-route.ts';

/** Messages of Amazon SNS have at most 256 KB, and more in JSON. */
const messageLimit = 1024 * 1024;

/** Amazon SNS sends JSON as `text/plain`. The signature covers fields of the body, so the operation reads it. */
export function mountSns({ app, services, endpoints }: RestDoor): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>(
      '*',
      { parseAs: 'string', bodyLimit: messageLimit },
      (_request, body, done) => done(null, body),
    );
    rawRoute({ app: scope, services, endpoints }, 'POST', '/webhooks/sns', {
      name: receiveNotification.name,
      summary: 'Takes notifications of the mail provider, which Amazon SNS signs.',
      output: notificationOutput,
      errors: receiveNotification.errors,
      handler: ({ body, id, ip }) =>
        receiveNotification.run(
          { ...systemContext(services), request: { id, ip } },
          // JSON has no raw U+0000: such a body is as unreadable as an empty one.
          { body: typeof body === 'string' && !body.includes('\0') ? body : '' },
        ),
    });
  });
}
