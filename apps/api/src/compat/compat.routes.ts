import type { Services } from '@postrider/core/base/kernel';
import type { FastifyInstance } from 'fastify';
import { type CompatService, openService } from './door.ts';
import { mailgun } from './mailgun/mailgun.routes.ts';
import { plunk } from './plunk/plunk.routes.ts';
import { postmark } from './postmark/postmark.routes.ts';
import { resend } from './resend/resend.routes.ts';
import { sendgrid } from './sendgrid/sendgrid.routes.ts';

const offered: readonly CompatService[] = [resend, postmark, sendgrid, mailgun, plunk];

/** Opens the drop-in doors (behaviour B16): they translate into operations and have no rules or rows of their own. */
export function openCompatDoors(app: FastifyInstance, services: Services): void {
  for (const service of offered) openService(app, services, service);
}
