import type { CoreConfig } from '@postrider/core/base/kernel';

const megabyte = 1024 * 1024;

/** In bytes, of a body with messages: that of `/v1/send`, as attachments grow by a third in base64 (behaviour B8.3). */
export const messageLimit = ({ MESSAGE_MAX_MB }: Pick<CoreConfig, 'MESSAGE_MAX_MB'>): number =>
  Math.ceil(1.5 * MESSAGE_MAX_MB * megabyte);
