import {
  cancelEmail,
  getEmail,
  listEmails,
  previewEmail,
  rescheduleEmail,
  sendBatch,
  sendEmail,
} from '@postrider/core/mail/sending';
import { getEmailSource } from '@postrider/core/mail/submission';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

const megabyte = 1024 * 1024;

export function mountSending(door: RestDoor): void {
  // Attachments grow by a third in base64 (behaviour B8.3).
  const bodyLimit = Math.ceil(1.5 * door.services.config.MESSAGE_MAX_MB * megabyte);
  mount(door, 'POST', '/v1/send', sendEmail, { envelope: true, idempotent: true, bodyLimit });
  mount(door, 'POST', '/v1/send/batch', sendBatch, { envelope: true, idempotent: true, bodyLimit });
  mount(door, 'GET', '/emails', listEmails);
  mount(door, 'GET', '/emails/:id', getEmail);
  mount(door, 'PATCH', '/emails/:id', rescheduleEmail);
  mount(door, 'POST', '/emails/:id/cancel', cancelEmail);
  mount(door, 'GET', '/emails/:id/preview', previewEmail);
  mount(door, 'GET', '/emails/:id/source', getEmailSource);
}
