import { z } from 'zod';
import { query, uuid } from '../../base/kernel/index.ts';
import { makeFormToken, saltOf } from './form-tokens.ts';
import { findPublicForm } from './forms.store.ts';
import { isFormOpen } from './show-form.ts';
import { workBits } from './work.ts';

/** What a script needs to send a form. */
export const formChallenge = z.object({
  token: z.string(),
  work: z.object({ salt: z.string(), bits: z.int() }).nullable(),
});

export const challengeForm = query({
  name: 'forms.challenge',
  summary:
    'The signed time, and the work that a guarded form asks for; null for a form that takes no sign-ups',
  permission: 'public',
  input: z.object({ id: uuid }),
  output: z
    .object({ challenge: formChallenge.nullable(), origins: z.array(z.string()) })
    .nullable()
    .describe('Null for an unknown form'),
  async handler({ services, db }, { id }) {
    const form = await findPublicForm(db, id);
    if (!form) return null;
    const { origins } = form;
    if (!isFormOpen(form)) return { challenge: null, origins };
    const now = new Date();
    const token = makeFormToken(services.secrets, { kind: 'page', formId: id }, now);
    const isGuarded = form.guardedUntil !== null && form.guardedUntil > now;
    return {
      challenge: { token, work: isGuarded ? { salt: saltOf(token), bits: workBits } : null },
      origins,
    };
  },
});
