import { z } from 'zod';

export const given = z
  .string()
  .refine((value) => value !== '', { params: { code: 'required' }, message: 'Required', abort: true })
  .meta({ minLength: 1 });

/** A new password. Spaces count; nothing is trimmed. */
export const newPassword = given
  .refine((value) => value.length >= 8, { params: { code: 'too_small' }, message: 'At least 8 characters' })
  .refine((value) => value.length <= 128, { params: { code: 'too_big' }, message: 'At most 128 characters' })
  .meta({ minLength: 8, maxLength: 128 });

/** The password of an account, as its user types it. The limit bounds the work on it before it is hashed. */
export const password = given
  .refine((value) => value.length <= 4096, {
    params: { code: 'too_big' },
    message: 'At most 4096 characters',
  })
  .meta({ minLength: 1, maxLength: 4096 });
