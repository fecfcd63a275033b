import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { ValidationError } from './errors.ts';
import { subscribe } from './subscribe.ts';
import { json, refusal, serve } from './testing.fixture.ts';

const form = '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90';
const input = { email: 'ann@example.com', fields: { name: 'Ann' } };

it('sends a form without a key', async () => {
  const { baseUrl, received } = await serve(json(202, { status: 'received' }));
  await subscribe(form, input, { baseUrl });
  expect(received).toMatchObject([{ method: 'POST', url: `/f/${form}` }]);
  expect(received[0]?.headers).not.toHaveProperty('authorization');
  expect(JSON.parse(received[0]?.body ?? '')).toEqual(input);
});

it('tells which fields have to be corrected', async () => {
  const errors = [{ field: 'email', code: 'invalid_string', message: 'Invalid' }];
  const { baseUrl } = await serve(json(422, refusal('VALIDATION_ERROR', 422, { errors })));
  const failure = subscribe(form, input, { baseUrl });
  await expect(failure).rejects.toBeInstanceOf(ValidationError);
  await expect(failure).rejects.toMatchObject({ errors });
});

it('does the work that a guarded form asks for', async () => {
  const errors = [{ field: 'work', code: 'required', message: 'Required' }];
  const { baseUrl, received } = await serve(
    json(422, refusal('VALIDATION_ERROR', 422, { errors })),
    json(200, { token: 'signed', work: { salt: 'salt', bits: 8 } }),
    json(202, { status: 'received' }),
  );
  await subscribe(form, input, { baseUrl });
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `POST /f/${form}`,
    `GET /f/${form}/challenge`,
    `POST /f/${form}`,
  ]);
  const { token, work } = JSON.parse(received[2]?.body ?? '');
  expect(token).toBe('signed');
  expect(createHash('sha256').update(`salt:ann@example.com:${work}`).digest()[0]).toBe(0);
});
