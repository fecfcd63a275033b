import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { makeContent } from '../message/prepare-message.fixtures.ts';
import { asSandboxTest } from './sandbox-note.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const owner = { id: '01900000-0000-7000-8000-00000000000b', language: 'en' as const };

it.each([
  [
    false,
    'Dear {{name}}, 1 < 2 {% if a > b %}x{% endif %}',
    'Dear {{name}}, 1 &lt; 2 {% if a > b %}x{% endif %}',
  ],
  [true, '{% if a > b', '{% if a &gt; b'],
])('the note is in an email of its text alone, too (literal: %s)', (literal, text, html) => {
  const message = makeContent({ body: '', text, literal });
  const shown = asSandboxTest(test.services, { message, submittedText: null }, owner);
  expect(shown.text).toBeNull();
  expect(shown.body).toMatch(/^<div lang="en"[\s\S]*Test email\./);
  expect(shown.body).toContain(html);
});
